/** Whether a value is an object. `instanceof Object` is false for objects of a function node, which come from another realm. */
export const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Returns a property of an object, or undefined for any other value. */
export const propertyOf = (value: unknown, name: string): unknown =>
  isObject(value) ? Reflect.get(value, name) : undefined;
