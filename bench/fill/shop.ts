/** A shop with records of each kind, numbered from `first`. */
export interface BenchShop {
  id: string;
  key: string;
  keyId: string;
  first: number;
  count: number;
}

/** A shop that is only read, one that is written to and has one subscriber, and the one whose lists are measured. */
export interface BenchData {
  read: BenchShop & { productIds: string[] };
  write: BenchShop;
  measured: FullShop;
}

/** A shop with orders, customers, deliveries and logs, too. */
export interface FullShop extends BenchShop {
  endpointIds: string[];
  /** Its owner's session. */
  session: string;
}
