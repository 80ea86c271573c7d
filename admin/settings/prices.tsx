import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useShop } from "../queries.ts";
import { Button } from "../ui/button.tsx";
import { FormDialog } from "../ui/dialogs/form-dialog.tsx";
import { Form, readText, Switch, TextField } from "../ui/forms/form.tsx";
import { Choice } from "../ui/forms/select.tsx";
import { fact, Facts, Section } from "../ui/page.tsx";
import { Notice } from "../ui/states.tsx";
import { addAmounts, formatMoney, isZero, taxOf } from "../ui/values/money.ts";
import { priceExampleQuery, useShopChange } from "./shop-queries.ts";
import layout from "../ui/layout.module.css";
import styles from "./settings.module.css";
import { copy } from "./copy.ts";

interface PricesProps {
  shopId: string;
  pricesIncludeTax: boolean;
  defaultTaxRate: string | null;
  cashRounding: string;
  cashRoundings: string[];
  usualCashRounding: string | null;
}

/** The settings for tax and cash rounding. */
export function Prices({ shopId, pricesIncludeTax, defaultTaxRate, ...rest }: PricesProps) {
  const { cashRounding, cashRoundings, usualCashRounding } = rest;
  const { currency } = useShop();
  const change = useShopChange(shopId);
  const [asked, ask] = useState<boolean>();
  const steps = cashRoundings.map((step) => {
    const label = isZero(step) ? copy.prices.exact : formatMoney(step, currency);
    return [step, step === usualCashRounding ? copy.prices.usual(label) : label] as const;
  });
  return (
    <Section title={copy.prices.title}>
      <div className={`${layout.card} ${styles.card}`}>
        {change.error && <Notice tone="bad">{change.error.message}</Notice>}
        <Switch
          label={<Described title={copy.prices.includeTax} text={copy.prices.includeTaxHint} />}
          checked={pricesIncludeTax}
          onChange={ask}
        />
        <TaxRate key={defaultTaxRate} shopId={shopId} rate={defaultTaxRate} />
        <Choice
          name="cashRounding"
          label={copy.prices.cash}
          hint={copy.prices.cashHint}
          value={cashRounding}
          options={steps}
          onChange={(step) => !change.isPending && change.mutate({ cashRounding: step })}
        />
      </div>
      {asked !== undefined && <TaxDialog willInclude={asked} rate={defaultTaxRate} onClose={() => ask(undefined)} />}
    </Section>
  );
}

const RATE = /^(100(\.0{1,4})?|\d{1,2}(\.\d{1,4})?)$/;
const withPoint = (rate: string) => rate.replace(",", ".");

function TaxRate({ shopId, rate }: { shopId: string; rate: string | null }) {
  const change = useShopChange(shopId);
  const save = (values: FormData) =>
    !change.isPending && change.mutate({ defaultTaxRate: withPoint(readText(values, "defaultTaxRate")) || null });
  return (
    <Form error={change.error} onSubmit={save}>
      <TextField
        name="defaultTaxRate"
        label={copy.prices.rate}
        hint={copy.prices.rateHint}
        defaultValue={rate ?? ""}
        inputMode="decimal"
        validate={(text) => (RATE.test(withPoint(text)) ? null : copy.prices.invalidRate)}
      />
      <div>
        <Button type="submit" busy={change.isPending}>
          {copy.save}
        </Button>
      </div>
    </Form>
  );
}

/** The rate of the example in a shop without a default tax rate. */
const EXAMPLE_RATE = "20";

/** Asks before what everything costs changes, with a product of the shop as an example. */
function TaxDialog(props: { willInclude: boolean; rate: string | null; onClose: () => void }) {
  const { willInclude, onClose } = props;
  const rate = props.rate === null || isZero(props.rate) ? EXAMPLE_RATE : props.rate;
  const { id: shopId, currency } = useShop();
  const change = useShopChange(shopId);
  const { data: product, isPending } = useQuery(priceExampleQuery(shopId));
  const text = willInclude ? copy.prices.include : copy.prices.exclude;
  const describeCost = (price: string, isIncluded: boolean) => {
    const tax = taxOf(price, rate, isIncluded);
    const total = isIncluded ? price : addAmounts(price, tax);
    return copy.prices.cost(formatMoney(total, currency), formatMoney(tax, currency));
  };
  return (
    <FormDialog
      title={text.title}
      description={`${text.text} ${copy.prices.keep}`}
      label={text.submit}
      mutation={{ ...change, mutate: () => change.mutate({ pricesIncludeTax: willInclude }, { onSuccess: onClose }) }}
      isWaiting={isPending}
      onClose={onClose}
    >
      {product && (
        <>
          <p>{copy.prices.example(product.title, formatMoney(product.price, currency), rate)}</p>
          <Facts
            facts={[
              fact(copy.prices.now, describeCost(product.price, !willInclude)),
              fact(copy.prices.newOrders, describeCost(product.price, willInclude)),
            ]}
          />
        </>
      )}
    </FormDialog>
  );
}

/** The label of a setting, with its explanation. */
export function Described({ title, text }: { title: string; text: string }) {
  return (
    <>
      {title}
      <span className={styles.soft}>{text}</span>
    </>
  );
}
