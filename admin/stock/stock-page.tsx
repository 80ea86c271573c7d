import { Page } from "../ui/page.tsx";

export function StockPage() {
  return <Page title="Stock">…</Page>;
}
