import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useShop } from "../queries.ts";
import { request } from "../request.ts";
import { asShown, changed, ChangeDialog } from "../records/change-dialog.tsx";
import { labelCustomer } from "../records/labels.tsx";
import layout from "../ui/layout.module.css";
import { AmountField, readAmount } from "../ui/forms/amount-field.tsx";
import { Checkbox, readText, TextField } from "../ui/forms/form.tsx";
import { formatMoney, isPositive } from "../ui/values/money.ts";
import {
  CreateCustomer,
  EraseCustomer,
  GrantStoreCredit,
  SpendStoreCredit,
  UpdateCustomer,
  type Customer,
} from "./customer-queries.ts";
import { copy } from "./copy.ts";

export function CreateCustomerDialog({ onClose }: { onClose: () => void }) {
  const { id: shopId } = useShop();
  const navigate = useNavigate();
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  return (
    <ChangeDialog
      title={copy.create}
      label={copy.create}
      successMessage={copy.createDone}
      onClose={onClose}
      change={(values) => request(CreateCustomer, { shopId, idempotencyKey, input: readCustomer(values) })}
      onDone={({ createCustomer: { id } }) =>
        void navigate({ to: "/$shopId/customers/$customerId", params: { shopId, customerId: id } })
      }
    >
      <CustomerFields />
    </ChangeDialog>
  );
}

interface CustomerDialogProps {
  customer: Customer;
  onClose: () => void;
}

export function EditCustomerDialog({ customer, onClose }: CustomerDialogProps) {
  const { id: shopId } = useShop();
  const [{ email, firstName, lastName, phone, note }] = useState(customer);
  const before = { email, firstName, lastName, phone, note };
  return (
    <ChangeDialog
      title={copy.editTitle(labelCustomer(customer))}
      label={copy.save}
      successMessage={copy.editDone}
      onClose={onClose}
      change={(values) =>
        request(UpdateCustomer, { shopId, ...asShown(customer), input: changed(before, readCustomer(values)) })
      }
    >
      <CustomerFields before={before} />
    </ChangeDialog>
  );
}

function CustomerFields({ before }: { before?: ReturnType<typeof readCustomer> }) {
  return (
    <>
      <TextField
        name="email"
        label={copy.fields.email}
        inputMode="email"
        defaultValue={before?.email}
        required
        maxLength={254}
        autoFocus
      />
      <div className={layout.pair}>
        <TextField name="firstName" label={copy.fields.firstName} defaultValue={before?.firstName} maxLength={100} />
        <TextField name="lastName" label={copy.fields.lastName} defaultValue={before?.lastName} maxLength={100} />
      </div>
      <TextField name="phone" label={copy.fields.phone} inputMode="tel" defaultValue={before?.phone ?? ""} />
      <TextField
        name="note"
        label={copy.fields.note}
        hint={copy.fields.noteHint}
        defaultValue={before?.note ?? ""}
        maxLength={5_000}
        render={<textarea rows={3} />}
      />
    </>
  );
}

const readCustomer = (values: FormData) => ({
  email: readText(values, "email"),
  firstName: readText(values, "firstName"),
  lastName: readText(values, "lastName"),
  phone: readText(values, "phone") || null,
  note: readText(values, "note") || null,
});

/** Erases a customer. Their store credit is sent as shown, so that nobody loses an amount that was not confirmed. */
export function EraseCustomerDialog({ customer, onClose }: CustomerDialogProps) {
  const { id: shopId, currency, can } = useShop();
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const [includesNotes, setIncludesNotes] = useState(false);
  const [isConfirmed, setConfirmed] = useState(false);
  const { id, storeCreditBalance } = customer;
  const hasCredit = isPositive(storeCreditBalance);
  const credit = hasCredit ? ` ${copy.erase.credit(formatMoney(storeCreditBalance, currency))}` : "";
  const forfeitStoreCredit = hasCredit ? storeCreditBalance : null;
  return (
    <ChangeDialog
      title={copy.erase.title(labelCustomer(customer))}
      description={copy.erase.text + credit}
      label={copy.erase.submit}
      isDanger
      isWaiting={!isConfirmed}
      successMessage={copy.erase.done}
      onClose={onClose}
      change={() => {
        const input = { includeNotes: includesNotes, forfeitStoreCredit };
        return request(EraseCustomer, { shopId, id, idempotencyKey, input });
      }}
    >
      {can("WRITE_ORDERS") && (
        <Checkbox label={copy.erase.includeNotes} checked={includesNotes} onChange={setIncludesNotes} />
      )}
      <Checkbox label={copy.erase.confirm} checked={isConfirmed} onChange={setConfirmed} />
    </ChangeDialog>
  );
}

/** Grants or deducts store credit. */
export function CreditDialog({ customer, isSpent, onClose }: CustomerDialogProps & { isSpent: boolean }) {
  const { id: shopId, currency, currencyDecimals } = useShop();
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const change = async (values: FormData): Promise<unknown> => {
    const input = { amount: readAmount(values, "amount", currencyDecimals)!, reason: readText(values, "reason") };
    const variables = { shopId, customerId: customer.id, idempotencyKey, input };
    return isSpent ? request(SpendStoreCredit, variables) : request(GrantStoreCredit, variables);
  };
  return (
    <ChangeDialog
      title={isSpent ? copy.credit.spendTitle : copy.credit.grantTitle}
      description={copy.credit.balance(labelCustomer(customer), formatMoney(customer.storeCreditBalance, currency))}
      label={isSpent ? copy.credit.spend : copy.credit.grant}
      successMessage={isSpent ? copy.credit.spendDone : copy.credit.grantDone}
      onClose={onClose}
      change={change}
    >
      <AmountField name="amount" label={copy.credit.amountIn(currency)} currencyDecimals={currencyDecimals} autoFocus />
      <TextField name="reason" label={copy.credit.reason} hint={copy.credit.reasonHint} required maxLength={255} />
    </ChangeDialog>
  );
}
