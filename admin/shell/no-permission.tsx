import { useShop } from "../queries.ts";
import { Page } from "../ui/page.tsx";
import { Empty } from "../ui/states.tsx";
import { roleNames } from "./words.ts";

/** Says which role one has, and whom to ask for more. */
export function NoPermission({ title }: { title: string }) {
  const { name, role, needsSecondFactor } = useShop();
  const text = needsSecondFactor
    ? `${name} requires a second factor, and your account has none. Set one up under Account.`
    : `Your role at ${name} is ${role ? roleNames[role].toLowerCase() : "none"}. An owner can give you another.`;
  return (
    <Page title={title}>
      <Empty title="This page is not for your role">{text}</Empty>
    </Page>
  );
}
