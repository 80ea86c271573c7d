import { useMutation, useSuspenseQuery } from "@tanstack/react-query";
import { request } from "../request.ts";
import { Badge } from "../ui/values/badge.tsx";
import { Button } from "../ui/button.tsx";
import { Section } from "../ui/page.tsx";
import { Notice } from "../ui/states.tsx";
import { Table, type Column } from "../ui/table.tsx";
import { Time } from "../ui/values/time.tsx";
import { toast } from "../ui/toasts.tsx";
import text from "../ui/text.module.css";
import { EndOtherSessions, EndSession, sessionsQuery, useRefresh, type Session } from "./account-queries.ts";
import { copy } from "./copy.ts";

/** The viewer's sessions, with buttons to end all but the current one. */
export function Sessions() {
  const { data } = useSuspenseQuery(sessionsQuery);
  const refresh = useRefresh();
  const endOne = useMutation({
    mutationFn: (id: string) => request(EndSession, { id }),
    onSuccess: async () => {
      toast(copy.sessions.ended);
      await refresh();
    },
  });
  const endOthers = useMutation({
    mutationFn: () => request(EndOtherSessions, {}),
    onSuccess: async () => {
      toast(copy.sessions.othersEnded);
      await refresh();
    },
  });
  const error = endOne.error ?? endOthers.error;
  const others = data.filter(({ isCurrent }) => !isCurrent);
  return (
    <Section
      title={copy.sessions.title}
      action={
        others.length > 0 && (
          <Button busy={endOthers.isPending} onClick={() => endOthers.mutate()}>
            {copy.sessions.endOthers}
          </Button>
        )
      }
    >
      {error && <Notice tone="bad">{error.message}</Notice>}
      <Table
        caption={copy.sessions.title}
        columns={columns((id) => !endOne.isPending && endOne.mutate(id))}
        rows={data}
        keyOf={({ id }) => id}
      />
    </Section>
  );
}

const columns = (onEnd: (id: string) => void): Column<Session>[] => [
  {
    title: copy.sessions.browser,
    cell: ({ userAgent, isCurrent }) => (
      <>
        <span className={text.name} title={userAgent ?? undefined}>
          {formatBrowser(userAgent)}
        </span>{" "}
        {isCurrent && <Badge tone="good">{copy.sessions.current}</Badge>}
      </>
    ),
  },
  { title: copy.sessions.address, cell: ({ address }) => address ?? copy.unknown },
  { title: copy.sessions.lastUsed, cell: ({ lastSeenAt }) => <Time value={lastSeenAt} /> },
  { title: copy.sessions.loggedIn, cell: ({ createdAt }) => <Time value={createdAt} /> },
  {
    title: "",
    cell: ({ id, isCurrent, userAgent }) =>
      !isCurrent && (
        <Button aria-label={copy.sessions.endOf(formatBrowser(userAgent))} onClick={() => onEnd(id)}>
          {copy.sessions.end}
        </Button>
      ),
  },
];

/** Most browsers also contain the names of others, so the order matters. */
const browsers = [
  ["Edge", /Edg\w*\/(\d+)/],
  ["Opera", /OPR\/(\d+)/],
  ["Firefox", /(?:Firefox|FxiOS)\/(\d+)/],
  ["Chrome", /(?:Chrome|CriOS)\/(\d+)/],
  ["Safari", /Version\/(\d+).*Safari/],
] as const;
const systems = [
  ["Android", /Android/],
  ["iPhone", /iPhone/],
  ["iPad", /iPad/],
  ["Windows", /Windows/],
  ["macOS", /Mac OS X/],
  ["Linux", /Linux/],
] as const;

/** Formats a user agent, such as "Firefox 140 on Linux". Unknown ones stay as they are. */
export function formatBrowser(userAgent: string | null): string {
  if (!userAgent) return copy.unknown;
  const system = systems.find(([, pattern]) => pattern.test(userAgent))?.[0];
  for (const [name, pattern] of browsers) {
    const version = pattern.exec(userAgent)?.[1];
    if (version) return system ? copy.browser(`${name} ${version}`, system) : `${name} ${version}`;
  }
  return userAgent;
}
