/** Settings of the Wyoming protocol. */
export interface WyomingOptions {
  /** Address to listen on. */
  host: string;
  port: number;
  /** Name of the account of all requests. */
  account: string;
  /** Name under which zeroconf announces the service in the network. Undefined announces nothing. */
  announce?: string | undefined;
}
