import { Page } from "../ui/page.tsx";

export function CustomersPage() {
  return <Page title="Customers">…</Page>;
}
