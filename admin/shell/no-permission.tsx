import { Link } from "@tanstack/react-router";
import { useShop } from "../queries.ts";
import { buttonClass } from "../ui/button.tsx";
import { Page } from "../ui/page.tsx";
import { Empty } from "../ui/states.tsx";
import { roleNames } from "./words.ts";

/** Says which role one has, and whom to ask for more. */
export function NoPermission({ title }: { title: string }) {
  const { id: shopId, name, role, needsSecondFactor } = useShop();
  const text = needsSecondFactor
    ? `${name} requires a second factor, and your account has none.`
    : `Your role at ${name} is ${role ? roleNames[role].toLowerCase() : "none"}. An owner can give you another.`;
  const action = needsSecondFactor && (
    <Link to="/$shopId/account" params={{ shopId }} className={buttonClass("primary")}>
      Set one up under Account
    </Link>
  );
  return (
    <Page title={title}>
      <Empty
        title={needsSecondFactor ? "A second factor is required" : "This page is not for your role"}
        action={action}
      >
        {text}
      </Empty>
    </Page>
  );
}
