// `sideEffects` of package.json is what bundlers believe when they leave out a module from which nothing is imported.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

const declarations = new Set([
  ts.SyntaxKind.ExportDeclaration,
  ts.SyntaxKind.VariableStatement,
  ts.SyntaxKind.FunctionDeclaration,
  ts.SyntaxKind.ClassDeclaration,
  ts.SyntaxKind.InterfaceDeclaration,
  ts.SyntaxKind.TypeAliasDeclaration,
]);

/** Whether importing the file does something to others. Entries that a file makes in a registry of its own are not such. */
function hasSideEffects(code: string): boolean {
  const { statements } = ts.createSourceFile('file.ts', code, ts.ScriptTarget.Latest);
  const own = statements.flatMap((statement) => {
    if (ts.isFunctionDeclaration(statement)) return statement.name?.text ?? [];
    if (!ts.isVariableStatement(statement)) return [];
    return statement.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? name.text : []));
  });
  return statements.some((statement) => {
    if (ts.isImportDeclaration(statement)) return statement.importClause === undefined;
    const called = calledName(ts.isForOfStatement(statement) ? statement.statement : statement);
    return !declarations.has(statement.kind) && !(called !== undefined && own.includes(called));
  });
}

/** `a` of the statements `a(…)` and `a.b(…)`. */
function calledName(statement: ts.Statement): string | undefined {
  if (!ts.isExpressionStatement(statement) || !ts.isCallExpression(statement.expression)) return undefined;
  const { expression } = statement.expression;
  const first = ts.isPropertyAccessExpression(expression) ? expression.expression : expression;
  return ts.isIdentifier(first) ? first.text : undefined;
}

it('a registry that fills itself has none; a worker, an import for effect and a call of others have', () => {
  expect(hasSideEffects("import { R } from 'r'; export const r = new R(); r.register('a', 1);")).toBe(false);
  expect(hasSideEffects('const all = new Map(); for (const a of [1]) add(a); function add() {}')).toBe(false);
  expect(
    hasSideEffects("import { parentPort } from 'node:worker_threads'; parentPort?.once('message', () => {});"),
  ).toBe(true);
  expect(hasSideEffects("import './registry.ts';")).toBe(true);
  expect(hasSideEffects("import { all } from './all.ts'; all.register('a', 1);")).toBe(true);
});

it('package.json names the files with side effects', () => {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'));
  const found = files.filter((path) => hasSideEffects(readFileSync(join(root, 'src', path), 'utf8')));
  const { sideEffects } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(found.map((path) => `./dist/${path.replace(/ts$/, 'js')}`).sort()).toEqual([...sideEffects].sort());
});
