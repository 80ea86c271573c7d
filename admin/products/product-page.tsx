import { Page } from "../ui/page.tsx";

export function ProductPage() {
  return <Page title="Product">…</Page>;
}
