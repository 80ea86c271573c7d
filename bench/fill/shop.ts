/** A shop with records of each kind, numbered from `first`. */
export interface BenchShop {
  id: string;
  key: string;
  first: number;
  count: number;
}

/** A shop that is only read, one that is written to, and the one whose routes are measured, with orders and customers. */
export interface BenchData {
  read: BenchShop & { productIds: string[] };
  write: BenchShop;
  measured: BenchShop;
}
