import { useMutation } from "@tanstack/react-query";
import { request } from "../request.ts";
import { Button } from "../ui/button.tsx";
import { Section } from "../ui/page.tsx";
import { Notice } from "../ui/states.tsx";
import { Table } from "../ui/table.tsx";
import { Badge } from "../ui/values/badge.tsx";
import text from "../ui/text.module.css";
import { CheckReceiver } from "./endpoint-queries.ts";
import { copy } from "./copy.ts";

/** Checks the endpoint's receiver and shows the result of each check. */
export function ReceiverCheckSection({ shopId, endpointId: id }: { shopId: string; endpointId: string }) {
  const check = useMutation({ mutationFn: () => request(CheckReceiver, { shopId, id }) });
  const results = check.data?.checkReceiver;
  return (
    <Section
      title={copy.receiverCheck.title}
      action={
        <Button busy={check.isPending} onClick={() => check.mutate()}>
          {copy.receiverCheck.start}
        </Button>
      }
    >
      <p className={text.small}>{copy.receiverCheck.text}</p>
      {check.error && <Notice tone="bad">{check.error.message}</Notice>}
      <div role="status">
        {results && (
          <Table
            caption={copy.receiverCheck.title}
            rows={results}
            keyOf={(result) => result.check}
            columns={[
              { title: copy.receiverCheck.check, cell: ({ title }) => title },
              {
                title: copy.receiverCheck.result,
                narrow: "end",
                cell: ({ isRun, isPassed }) =>
                  isRun ? (
                    <Badge tone={isPassed ? "good" : "bad"}>
                      {isPassed ? copy.receiverCheck.passed : copy.receiverCheck.failed}
                    </Badge>
                  ) : (
                    <Badge>{copy.receiverCheck.notRun}</Badge>
                  ),
              },
              {
                title: copy.receiverCheck.finding,
                cell: ({ finding, remedy }) => (remedy ? `${finding}. ${remedy}` : finding),
              },
            ]}
          />
        )}
      </div>
    </Section>
  );
}
