import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ChangeDialog } from "../records/change-dialog.tsx";
import { messageOf, request } from "../request.ts";
import { asSentence, readText, TextField } from "../ui/forms/form.tsx";
import { usePaused } from "../ui/forms/search-field.tsx";
import { Notice } from "../ui/states.tsx";
import { formatNumber } from "../ui/values/money.ts";
import { AllowAddresses, keyQuery, type ApiKey } from "./credential-queries.ts";
import { keys } from "./copy.ts";

const copy = keys.allowed;
export const listOf = (text: string) => text.split(/[\s,]+/).filter(Boolean);

/** Edits the addresses from which a key may be used, and shows which logged requests these would have refused. */
export function AllowedAddressesDialog(props: { shopId: string; apiKey: ApiKey; onClose: () => void }) {
  const { shopId, apiKey, onClose } = props;
  const { id } = apiKey;
  const before = apiKey.allowedAddresses.join("\n");
  const [text, setText] = useState(before);
  const paused = usePaused(text);
  const { data, error, isFetching } = useQuery({ ...keyQuery(shopId, id, listOf(paused)), retry: false });
  const { requests = 0, refusedRequests = 0, refusedAddresses = [] } = data?.rehearseAllowedAddresses ?? {};
  return (
    <ChangeDialog
      title={copy.title}
      label={copy.save}
      isWaiting={paused !== text || isFetching}
      change={() => request(AllowAddresses, { shopId, id, allowed: listOf(text) })}
      successMessage={copy.saved}
      onChange={(values) => setText(readText(values, "allowedAddresses"))}
      onClose={onClose}
    >
      <TextField
        name="allowedAddresses"
        label={copy.label}
        hint={copy.hint}
        defaultValue={before}
        render={<textarea rows={6} />}
        autoFocus
      />
      {error && <Notice tone="bad">{asSentence(messageOf(error), undefined)}</Notice>}
      {data && (
        <Notice tone={refusedRequests > 0 ? "warning" : "good"}>
          {copy.refused(formatNumber(refusedRequests), formatNumber(requests))}
          {refusedRequests > 0 && copy.from(refusedAddresses.join(", "))}.
        </Notice>
      )}
    </ChangeDialog>
  );
}
