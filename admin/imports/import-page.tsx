import { useSuspenseQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useShop } from "../queries.ts";
import { BackLink } from "../records/back-link.tsx";
import { Button, buttonClass } from "../ui/button.tsx";
import { fact, Facts, Page } from "../ui/page.tsx";
import { Panel } from "../ui/panel.tsx";
import { Notice } from "../ui/states.tsx";
import { formatNumber } from "../ui/values/money.ts";
import { Time } from "../ui/values/time.tsx";
import { CancelImport, importQuery, useChange, type Import } from "./import-queries.ts";
import { FormatQuestions, StartForm } from "./import-forms.tsx";
import { Findings, Preview, Problems, Refusals } from "./import-contents.tsx";
import { listOf } from "./imports-page.tsx";
import styles from "./imports.module.css";
import { copy } from "./copy.ts";

/** An import from its check to its report. */
export function ImportPage() {
  const { id: shopId } = useShop();
  const { importId } = useParams({ from: "/$shopId/imports/$importId" });
  const { data: shown } = useSuspenseQuery(importQuery(shopId, importId));
  const cancel = useChange(CancelImport, shown);
  const { kind, endedAt, state } = shown;
  const action = endedAt ? (
    <Link to={`${listOf[kind]}/import`} params={{ shopId }} className={buttonClass("plain")}>
      {copy.another}
    </Link>
  ) : (
    <Button busy={cancel.isPending} onClick={() => cancel.mutate({})}>
      {state === "RUNNING" ? copy.cancel : copy.discard}
    </Button>
  );
  return (
    <Page
      title={shown.fileName}
      description={copy.titles[kind]}
      back={<BackLink to={listOf[kind]} title={copy.lists[kind]} />}
      action={action}
    >
      {cancel.error && <Notice tone="bad">{cancel.error.message}</Notice>}
      <State shown={shown} />
    </Page>
  );
}

function State({ shown }: { shown: Import }) {
  const { kind, state, itemCount, doneCount, faultyCount, secondsLeft } = shown;
  const total = itemCount - faultyCount;
  switch (state) {
    case "UPLOADING":
      return <Notice tone="warning">{copy.notUploaded}</Notice>;
    case "CHECKING":
      return <Progress title={copy.states.CHECKING}>{countOf(kind, itemCount)}</Progress>;
    case "CHECKED":
      return <Checked shown={shown} />;
    case "RUNNING":
      return (
        <Progress title={copy.states.RUNNING} max={total} value={doneCount}>
          {copy.progress(formatNumber(doneCount), countOf(kind, total))}
          {secondsLeft !== null && `, ${copy.secondsLeft(secondsLeft)}`}
          <Facts facts={countFacts(shown)} />
        </Progress>
      );
    default:
      return <Report shown={shown} />;
  }
}

const countOf = (kind: Import["kind"], count: number) => copy.counts[kind](count, formatNumber(count));

function Progress({ title, children, ...bar }: { title: string; max?: number; value?: number; children: ReactNode }) {
  return (
    <Panel title={title}>
      <progress className={styles.progress} aria-label={title} {...bar} />
      <div>{children}</div>
    </Panel>
  );
}

function Checked({ shown }: { shown: Import }) {
  const { kind, itemCount, faultyCount } = shown;
  const format = shown.format!;
  const isRead = format.questions.length === 0;
  const source = copy.sources[format.source];
  return (
    <>
      <p>{isRead ? copy.found(source, countOf(kind, itemCount)) : source}</p>
      {/* The answers start from what the last check found. */}
      <FormatQuestions key={JSON.stringify(format)} shown={shown} format={format} />
      {itemCount > 0 && <Preview shown={shown} />}
      <Findings format={format} />
      {faultyCount > 0 && <Notice tone="warning">{copy.faulty(countOf(kind, faultyCount))}</Notice>}
      {itemCount > 0 && <StartForm shown={shown} count={countOf(kind, itemCount - faultyCount)} />}
      <Problems shown={shown} />
    </>
  );
}

function countFacts(shown: Import) {
  const names = Object.entries(copy.counted) as [keyof typeof copy.counted, string][];
  return names.filter(([name]) => shown[name] > 0).map(([name, label]) => fact(label, formatNumber(shown[name])));
}

function Report({ shown }: { shown: Import }) {
  const { state, failure, startedAt, endedAt, createdByName } = shown;
  const isUnchanged = state === "FINISHED" && shown.unchangedCount === shown.itemCount;
  return (
    <>
      {failure && <Notice tone="bad">{failure}</Notice>}
      {isUnchanged && <Notice tone="good">{copy.nothingChanged}</Notice>}
      <Panel title={copy.states[state]}>
        <Facts
          facts={[
            ...countFacts(shown),
            fact(copy.uploadedBy, createdByName ?? "–"),
            fact(copy.started, startedAt ? <Time value={startedAt} /> : "–"),
            fact(copy.ended, <Time value={endedAt!} />),
          ]}
        />
      </Panel>
      <Refusals shown={shown} />
      {shown.format && <Findings format={shown.format} />}
      <Problems shown={shown} />
    </>
  );
}
