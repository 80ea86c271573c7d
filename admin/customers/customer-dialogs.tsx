import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useShop } from "../queries.ts";
import { request } from "../request.ts";
import { ChangeDialog } from "../records/change-dialog.tsx";
import { changed } from "../records/changed.ts";
import styles from "../records/records.module.css";
import { TextField } from "../ui/forms/form.tsx";
import { readText, requireAmount } from "../ui/forms/read-fields.ts";
import { tellMoney } from "../ui/values/money.ts";
import {
  CreateCustomer,
  GrantStoreCredit,
  nameCustomer,
  SpendStoreCredit,
  UpdateCustomer,
  type Customer,
} from "./customer-queries.ts";

export function CreateCustomerDialog({ onClose }: { onClose: () => void }) {
  const { id: shopId } = useShop();
  const navigate = useNavigate();
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  return (
    <ChangeDialog
      title="Create customer"
      label="Create customer"
      told="The customer is created"
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
      title={`Edit ${nameCustomer(customer)}`}
      label="Save"
      told="The customer is saved"
      onClose={onClose}
      change={(values) =>
        request(UpdateCustomer, {
          shopId,
          id: customer.id,
          expectedVersion: customer.version,
          input: changed(before, readCustomer(values)),
        })
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
        label="E-mail address"
        inputMode="email"
        defaultValue={before?.email}
        required
        maxLength={254}
        autoFocus
      />
      <div className={styles.pair}>
        <TextField name="firstName" label="First name (optional)" defaultValue={before?.firstName} maxLength={100} />
        <TextField name="lastName" label="Last name (optional)" defaultValue={before?.lastName} maxLength={100} />
      </div>
      <TextField name="phone" label="Phone (optional)" inputMode="tel" defaultValue={before?.phone ?? ""} />
      <TextField
        name="note"
        label="Note (optional)"
        hint="Only staff see it."
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

/** Grants store credit, or takes from what there is. */
export function CreditDialog({ customer, isSpent, onClose }: CustomerDialogProps & { isSpent: boolean }) {
  const { id: shopId, currency, currencyDecimals } = useShop();
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const change = async (values: FormData): Promise<unknown> => {
    const input = { amount: requireAmount(values, "amount", currencyDecimals), reason: readText(values, "reason") };
    const variables = { shopId, customerId: customer.id, idempotencyKey, input };
    return isSpent ? request(SpendStoreCredit, variables) : request(GrantStoreCredit, variables);
  };
  return (
    <ChangeDialog
      title={isSpent ? "Spend store credit" : "Grant store credit"}
      description={`${nameCustomer(customer)} has ${tellMoney(customer.storeCreditBalance, currency)}.`}
      label={isSpent ? "Spend" : "Grant"}
      told={isSpent ? "The store credit is spent" : "The store credit is granted"}
      onClose={onClose}
      change={change}
    >
      <TextField name="amount" label={`Amount in ${currency}`} inputMode="decimal" required autoFocus />
      <TextField name="reason" label="Reason" hint="Such as “Late delivery”." required maxLength={255} />
    </ChangeDialog>
  );
}
