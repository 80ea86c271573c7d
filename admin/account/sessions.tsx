import { useMutation, useSuspenseQuery } from "@tanstack/react-query";
import { request } from "../request.ts";
import { Badge } from "../ui/values/badge.tsx";
import { Button } from "../ui/button.tsx";
import { Section } from "../ui/page.tsx";
import { Notice } from "../ui/states.tsx";
import { Table, type Column } from "../ui/table.tsx";
import { Time } from "../ui/values/time.tsx";
import { tell } from "../ui/toasts.tsx";
import text from "../ui/text.module.css";
import { EndOtherSessions, EndSession, sessionsQuery, useRefresh, type Session } from "./account-queries.ts";
import { tellBrowser } from "./tell-browser.ts";

/** The viewer's sessions. All but the current one can be ended. */
export function Sessions() {
  const { data } = useSuspenseQuery(sessionsQuery);
  const refresh = useRefresh();
  const endOne = useMutation({
    mutationFn: (id: string) => request(EndSession, { id }),
    onSuccess: async () => {
      tell("The session is ended");
      await refresh();
    },
  });
  const endOthers = useMutation({
    mutationFn: () => request(EndOtherSessions, {}),
    onSuccess: async () => {
      tell("All other sessions are ended");
      await refresh();
    },
  });
  const error = endOne.error ?? endOthers.error;
  const others = data.filter(({ isCurrent }) => !isCurrent);
  return (
    <Section
      title="Sessions"
      action={
        others.length > 0 && (
          <Button busy={endOthers.isPending} onClick={() => endOthers.mutate()}>
            End all others
          </Button>
        )
      }
    >
      {error && <Notice tone="bad">{error.message}</Notice>}
      <Table
        caption="Sessions"
        columns={columns((id) => !endOne.isPending && endOne.mutate(id))}
        rows={data}
        keyOf={({ id }) => id}
      />
    </Section>
  );
}

const columns = (onEnd: (id: string) => void): Column<Session>[] => [
  {
    title: "Browser",
    cell: ({ userAgent, isCurrent }) => (
      <>
        <span className={text.name} title={userAgent ?? undefined}>
          {tellBrowser(userAgent)}
        </span>{" "}
        {isCurrent && <Badge tone="good">This one</Badge>}
      </>
    ),
  },
  { title: "Address", cell: ({ address }) => address ?? "Unknown" },
  { title: "Last used", cell: ({ lastSeenAt }) => <Time value={lastSeenAt} /> },
  { title: "Logged in", cell: ({ createdAt }) => <Time value={createdAt} /> },
  {
    title: "",
    cell: ({ id, isCurrent, userAgent }) =>
      !isCurrent && (
        <Button aria-label={`End the session of ${tellBrowser(userAgent)}`} onClick={() => onEnd(id)}>
          End
        </Button>
      ),
  },
];
