import { Page } from "../ui/page.tsx";

export function ShopPage() {
  return <Page title="Shop">…</Page>;
}
