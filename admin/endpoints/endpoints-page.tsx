import { Page } from "../ui/page.tsx";

export function EndpointsPage() {
  return <Page title="Webhook endpoints">…</Page>;
}
