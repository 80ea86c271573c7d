/** What names a row of a shop. */
export interface RowKey {
  shopId: string;
  id: string;
}
