/** A promise with its resolve function. */
export class Deferred<Value> {
  readonly promise: Promise<Value>;
  readonly resolve: (value: Value) => void;

  constructor() {
    let settle: (value: Value) => void = () => {};
    this.promise = new Promise((resolve) => {
      settle = resolve;
    });
    this.resolve = settle;
  }
}
