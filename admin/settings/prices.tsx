import { useShop } from "../queries.ts";
import { Choice } from "../ui/forms/choice.tsx";
import { Switch } from "../ui/forms/form.tsx";
import { Section } from "../ui/page.tsx";
import { Notice } from "../ui/states.tsx";
import { formatMoney, isZero } from "../ui/values/money.ts";
import { Described } from "./described.tsx";
import { useShopChange } from "./shop-queries.ts";
import styles from "./settings.module.css";
import { copy } from "./copy.ts";

interface PricesProps {
  shopId: string;
  pricesIncludeTax: boolean;
  cashRounding: string;
  cashRoundings: string[];
  usualCashRounding: string | null;
}

/** The settings for tax and cash rounding. */
export function Prices({ shopId, pricesIncludeTax, cashRounding, cashRoundings, usualCashRounding }: PricesProps) {
  const { currency } = useShop();
  const change = useShopChange(shopId);
  const steps = cashRoundings.map((step) => {
    const label = isZero(step) ? copy.prices.exact : formatMoney(step, currency);
    return [step, step === usualCashRounding ? copy.prices.usual(label) : label] as const;
  });
  return (
    <Section title={copy.prices.title}>
      <div className={styles.card}>
        {change.error && <Notice tone="bad">{change.error.message}</Notice>}
        <Switch
          label={<Described title={copy.prices.includeTax} text={copy.prices.includeTaxHint} />}
          checked={pricesIncludeTax}
          onChange={(checked) => !change.isPending && change.mutate({ pricesIncludeTax: checked })}
        />
        <Choice
          name="cashRounding"
          label={copy.prices.cash}
          hint={copy.prices.cashHint}
          value={cashRounding}
          options={steps}
          onChange={(step) => !change.isPending && change.mutate({ cashRounding: step })}
        />
      </div>
    </Section>
  );
}
