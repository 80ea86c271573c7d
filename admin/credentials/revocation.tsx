import { Time } from "../ui/values/time.tsx";

/** The consequence of revoking a credential, from when it was last used. */
export function Revocation({ lastUsedAt }: { lastUsedAt: string | null }) {
  if (!lastUsedAt) return "It was never used. This cannot be undone.";
  return (
    <>
      It was last used <Time value={lastUsedAt} />. Whatever uses it is refused from then on, and this cannot be undone.
    </>
  );
}
