import { Page } from "../ui/page.tsx";

export function ProductsPage() {
  return <Page title="Products">…</Page>;
}
