import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { VariablesOf } from "gql.tada";
import { useState } from "react";
import { useShop } from "../queries.ts";
import { request } from "../request.ts";
import { BackLink } from "../records/back-link.tsx";
import records from "../records/records.module.css";
import { NoPermission } from "../shell/no-permission.tsx";
import { Button } from "../ui/button.tsx";
import layout from "../ui/layout.module.css";
import { Page } from "../ui/page.tsx";
import { Notice } from "../ui/states.tsx";
import text from "../ui/text.module.css";
import { toast } from "../ui/toasts.tsx";
import { Finder } from "./finder.tsx";
import { BuyerField, DraftLines, Offer, PaymentFields, Problems, QuotedSums } from "./new-order-parts.tsx";
import { CreateOrder, findByCode, findVariants } from "./new-order-queries.ts";
import { emptyDraft, problemsOf, readDraft, useQuote, withVariant, type Draft, type Problem } from "./order-draft.ts";
import { copy } from "./copy.ts";

/** Creates an order, such as a sale on the phone. */
export function NewOrderPage() {
  const { can } = useShop();
  return can("WRITE_ORDERS") ? <NewOrder /> : <NoPermission title={copy.create.action} />;
}

function NewOrder() {
  const { can } = useShop();
  const { draft, change, price, isTaxIncluded, due, problems, isReady, isQuoting, submit } = useNewOrder();
  return (
    <Page title={copy.create.action} back={<BackLink to="/$shopId/orders" title={copy.title} />}>
      <div className={records.split}>
        <div className={`${layout.stack} ${records.column}`}>
          <Finder
            label={copy.create.variant}
            find={findVariants}
            findByCode={findByCode}
            describe={(variant) => <Offer variant={variant} />}
            onChoose={(variant) => change((old) => withVariant(old, variant))}
            autoFocus
          />
          {draft.lines.length > 0 && <DraftLines draft={draft} price={price} problems={problems} change={change} />}
        </div>
        <div className={`${layout.stack} ${records.column}`}>
          {can("READ_CUSTOMERS") && <BuyerField draft={draft} change={change} />}
          <section className={layout.card}>
            <h2>{copy.create.payment}</h2>
            <PaymentFields draft={draft} change={change} due={due} />
            <Problems all={problems} under="payments." />
          </section>
          <section className={layout.card} aria-busy={isQuoting}>
            <h2>{copy.create.summary}</h2>
            {draft.lines.length === 0 && <p className={text.soft}>{copy.create.noLines}</p>}
            {price && <QuotedSums price={price} isTaxIncluded={isTaxIncluded} method={draft.method} />}
            {problems
              .filter(({ path }) => !/^(lines\.\d|discount|payments)\b/.test(path))
              .map(({ path, message }) => (
                <Notice key={path + message} tone="bad">
                  {message}
                </Notice>
              ))}
            <div>
              <Button variant="primary" busy={!isReady} onClick={submit}>
                {copy.create.submit}
              </Button>
            </div>
          </section>
        </div>
      </div>
    </Page>
  );
}

/** The order as it is typed, with its price and what is wrong with it. */
function useNewOrder() {
  const { currencyDecimals } = useShop();
  const [draft, setDraft] = useState(emptyDraft);
  const { input, payment, mistakes, canBeQuoted } = readDraft(draft, currencyDecimals);
  const quoted = useQuote(input, draft.method, canBeQuoted);
  const create = useCreate(() => void quoted.refetch());
  const price = canBeQuoted ? quoted.data?.quoteOrder : undefined;
  const refusal = create.error ?? (canBeQuoted ? quoted.error : null);
  const problems: Problem[] = [...mistakes, ...(refusal ? problemsOf(refusal) : (price?.problems ?? []))];
  return {
    draft,
    change: (changed: (old: Draft) => Draft) => {
      if (create.isError) create.reset();
      setDraft(changed);
    },
    price,
    isTaxIncluded: quoted.data?.pricesIncludeTax ?? false,
    due: payment?.amount ?? price?.amountToPay,
    problems,
    isQuoting: canBeQuoted && !quoted.isCurrent,
    isReady:
      quoted.isCurrent && mistakes.length === 0 && price?.problems.length === 0 && (create.isIdle || create.isError),
    submit: () =>
      create.mutate({
        ...input,
        payments: payment ? [payment] : [],
        expectedTotal: price!.totalAmount,
      }),
  };
}

/** Creates the order once, however often it is asked for, and opens it. */
function useCreate(onRefused: () => void) {
  const { id: shopId } = useShop();
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (input: VariablesOf<typeof CreateOrder>["input"]) =>
      request(CreateOrder, { shopId, idempotencyKey, input }),
    onSuccess: async ({ createOrder: { id: orderId, orderNumber } }) => {
      toast(copy.create.done(orderNumber));
      await navigate({ to: "/$shopId/orders/$orderId", params: { shopId, orderId } });
      await client.invalidateQueries({ queryKey: ["records", shopId] });
    },
    onError: onRefused,
  });
}
