// An ONNX graph as bytes: the few messages of onnx.proto that heed writes. Field numbers are those of the schema.

import type { DType, OnnxAttribute } from '../tensor/index.ts';
import { isGraph, type OnnxGraph, type OnnxInitializer, type OnnxNode, type OnnxValueInfo } from './graph.ts';

const IR_VERSION = 10;
const OPSET = 21;

/** TensorProto.DataType */
const DATA_TYPES: Readonly<Record<DType, number>> = { float32: 1, int32: 6, int64: 7, bool: 9 };
const UINT8 = 2;
const INT8 = 3;

/** The operators that ONNX Runtime adds to the standard. */
const RUNTIME_DOMAIN = 'com.microsoft';

/** AttributeProto.AttributeType */
const ATTRIBUTE = { float: 1, int: 2, text: 3, graph: 5, ints: 7 } as const;

/** The graph as a serialised ModelProto. */
export function encodeModel(graph: OnnxGraph): Uint8Array {
  const model = new Message().varint(1, IR_VERSION).text(2, 'heed').message(7, graphProto(graph));
  model.message(8, new Message().text(1, '').varint(2, OPSET));
  if (typesOf(graph).some((type) => type.startsWith(`${RUNTIME_DOMAIN}:`))) {
    model.message(8, new Message().text(1, RUNTIME_DOMAIN).varint(2, 1));
  }
  return model.toBytes();
}

/** The operators of a graph and of the bodies within it. */
function typesOf({ nodes }: OnnxGraph): string[] {
  return nodes.flatMap(({ type, attributes }) => [
    type,
    ...Object.values(attributes).flatMap((value) => (isGraph(value) ? typesOf(value) : [])),
  ]);
}

function graphProto({ nodes, initializers, inputs, outputs }: OnnxGraph): Message {
  const graph = new Message();
  for (const node of nodes) graph.message(1, nodeProto(node));
  graph.text(2, 'heed');
  for (const initializer of initializers) graph.message(5, tensorProto(initializer));
  for (const input of inputs) graph.message(11, valueInfoProto(input));
  for (const output of outputs) graph.message(12, valueInfoProto(output));
  return graph;
}

function nodeProto({ type, inputs, outputs, attributes }: OnnxNode): Message {
  const node = new Message();
  for (const input of inputs) node.text(1, input);
  for (const output of outputs) node.text(2, output);
  const [operator, domain] = type.split(':').reverse();
  node.text(3, outputs[0]).text(4, operator);
  for (const [name, value] of Object.entries(attributes)) node.message(5, attributeProto(name, value));
  return domain === undefined ? node : node.text(7, domain);
}

function attributeProto(name: string, value: OnnxAttribute | OnnxGraph): Message {
  const attribute = new Message().text(1, name);
  if (typeof value === 'number') return attribute.varint(3, value).varint(20, ATTRIBUTE.int);
  if (typeof value === 'string') return attribute.text(4, value).varint(20, ATTRIBUTE.text);
  if ('float' in value) return attribute.float(2, value.float).varint(20, ATTRIBUTE.float);
  if (isGraph(value)) return attribute.message(6, graphProto(value)).varint(20, ATTRIBUTE.graph);
  for (const item of value) attribute.varint(8, item);
  return attribute.varint(20, ATTRIBUTE.ints);
}

function tensorProto({ name, shape, data }: OnnxInitializer): Message {
  const tensor = new Message();
  for (const dim of shape) tensor.varint(1, dim);
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return tensor.varint(2, dataTypeOf(data)).text(8, name).bytes(9, bytes);
}

function dataTypeOf(data: OnnxInitializer['data']): number {
  if (data instanceof Float32Array) return DATA_TYPES.float32;
  if (data instanceof Int32Array) return DATA_TYPES.int32;
  if (data instanceof BigInt64Array) return DATA_TYPES.int64;
  return data instanceof Int8Array ? INT8 : UINT8;
}

function valueInfoProto({ name, dtype, shape }: OnnxValueInfo): Message {
  const dims = new Message();
  for (const dim of shape) {
    dims.message(1, typeof dim === 'number' ? new Message().varint(1, dim) : new Message().text(2, dim));
  }
  const tensor = new Message().varint(1, DATA_TYPES[dtype]).message(2, dims);
  return new Message().text(1, name).message(2, new Message().message(1, tensor));
}

/** A protobuf message under construction: byte strings and messages are kept by reference until the whole is written. */
class Message {
  /** In bytes. */
  length = 0;
  private readonly parts: (Uint8Array | Message)[] = [];

  varint(field: number, value: number): this {
    return this.append(encodeVarint(field * 8)).append(encodeVarint(value));
  }

  float(field: number, value: number): this {
    return this.append(encodeVarint(field * 8 + 5)).append(new Uint8Array(Float32Array.of(value).buffer));
  }

  text(field: number, value: string): this {
    return this.bytes(field, utf8.encode(value));
  }

  bytes(field: number, value: Uint8Array): this {
    return this.append(encodeVarint(field * 8 + 2))
      .append(encodeVarint(value.length))
      .append(value);
  }

  /** @param value complete: what is added to it later is lost */
  message(field: number, value: Message): this {
    return this.append(encodeVarint(field * 8 + 2))
      .append(encodeVarint(value.length))
      .append(value);
  }

  toBytes(): Uint8Array {
    const bytes = new Uint8Array(this.length);
    this.writeTo(bytes, 0);
    return bytes;
  }

  /** @returns where the message ends */
  private writeTo(bytes: Uint8Array, start: number): number {
    let offset = start;
    for (const part of this.parts) {
      if (part instanceof Message) offset = part.writeTo(bytes, offset);
      else {
        bytes.set(part, offset);
        offset += part.length;
      }
    }
    return offset;
  }

  private append(part: Uint8Array | Message): this {
    this.parts.push(part);
    this.length += part.length;
    return this;
  }
}

const utf8 = new TextEncoder();

/** The encodings of small numbers, which most are. */
const SMALL_VARINTS = Array.from({ length: 128 }, (_, value) => Uint8Array.of(value));

/** Seven bits a byte, the lowest first; a negative number as its 64-bit two's complement. */
function encodeVarint(value: number): Uint8Array {
  if (value >= 0 && value < 128) return SMALL_VARINTS[value];
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  while (rest > 127n) {
    bytes.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Uint8Array.from(bytes);
}
