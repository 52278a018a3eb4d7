import { expect, test } from 'vitest';
import { needsSpace, separatorOf } from './spacing.ts';

test('the space is dropped for Chinese', () => {
  expect(separatorOf(' ', ['Hi.', 'Bye.'], ['你好。', '再见。'])).toBe('');
  expect(separatorOf(' ', ['Hi.', 'OK'], ['你好。', 'OK'])).toBe('');
});

test('a space is added for English', () => {
  expect(separatorOf('', ['你好。', '再见。'], ['Hi.', 'Bye.'])).toBe(' ');
});

test('otherwise white space is kept', () => {
  expect(separatorOf(' ', ['Hi.', 'Bye.'], ['Hallo.', 'Tschüss.'])).toBe(' ');
  expect(separatorOf('', ['你好。', '再见。'], ['こんにちは。', 'さようなら。'])).toBe('');
  expect(separatorOf('\n', ['Hi.', 'Bye.'], ['你好。', '再见。'])).toBe('\n');
  expect(separatorOf('', ['aaa', 'bbb'], ['aaa', 'bbb'])).toBe('');
  expect(separatorOf(' ', ['Hi.', 'Bye.'], ['สวัสดี', 'ลาก่อน'])).toBe(' ');
});

test('words must not run together', () => {
  expect(needsSpace('the', 'code')).toBe(true);
  expect(needsSpace('the', ',')).toBe(false);
  expect(needsSpace('(', 'code')).toBe(false);
  expect(needsSpace('用', 'code')).toBe(false);
  expect(needsSpace('', 'code')).toBe(false);
});
