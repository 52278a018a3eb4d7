// Checks of types, for the compiler alone: nothing here runs.

/** Whether two types are the same, `any` and optional keys included. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** `exactly<string>()(value)` compiles only if the value's type is `string`, neither wider nor narrower. */
export declare function exactly<T>(): <V>(value: V, ...mismatch: Same<V, T> extends true ? [] : [expected: T]) => void;
