import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useShop } from "../queries.ts";
import { request } from "../request.ts";
import { asShown, changed, ChangeDialog } from "../records/change-dialog.tsx";
import { Choice } from "../ui/forms/select.tsx";
import layout from "../ui/layout.module.css";
import { AmountField, readAmount } from "../ui/forms/amount-field.tsx";
import { Checkbox, readText, TextField } from "../ui/forms/form.tsx";
import { CreateProduct, UpdateProduct, type NewProduct, type Product } from "./product-queries.ts";
import { statuses } from "./labels.tsx";
import { copy } from "./copy.ts";

const { fields } = copy;

const OPTIONS = [0, 1, 2];

/** Creates a product with one variant, or with a variant for each combination of option values. */
export function CreateProductDialog({ onClose }: { onClose: () => void }) {
  const { id: shopId, currency, currencyDecimals } = useShop();
  const navigate = useNavigate();
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const [status, setStatus] = useState<Product["status"]>("ACTIVE");
  const [hasOptions, setHasOptions] = useState(false);
  const [isStockTracked, trackStock] = useState(true);
  return (
    <ChangeDialog
      title={copy.create}
      label={copy.create}
      successMessage={copy.createDone}
      isDrawer
      onClose={onClose}
      change={async (values) => {
        const input = { ...readProduct(values, currencyDecimals, isStockTracked), status };
        return request(CreateProduct, { shopId, idempotencyKey, input });
      }}
      onDone={({ createProduct: { id } }) =>
        void navigate({ to: "/$shopId/products/$productId", params: { shopId, productId: id } })
      }
    >
      <TextField name="title" label={fields.title} required maxLength={255} autoFocus />
      <TextField name="description" label={fields.description} render={<textarea rows={3} />} />
      <Choice name="status" label={copy.status} value={status} options={statuses} onChange={setStatus} />
      <div className={layout.pair}>
        <AmountField name="variants.0.price" label={fields.price(currency)} currencyDecimals={currencyDecimals} />
        {isStockTracked && (
          <TextField
            name="variants.0.inventoryQuantity"
            label={hasOptions ? fields.stockPerVariant : fields.stock}
            type="number"
            min={0}
            step={1}
            defaultValue={0}
          />
        )}
      </div>
      <Checkbox label={fields.trackStock} checked={isStockTracked} onChange={trackStock} />
      <Checkbox label={fields.hasOptions} checked={hasOptions} onChange={setHasOptions} />
      {hasOptions ? <OptionFields /> : <CodeFields />}
    </ChangeDialog>
  );
}

export function EditProductDialog({ product, onClose }: { product: Product; onClose: () => void }) {
  const { id: shopId } = useShop();
  const [status, setStatus] = useState(product.status);
  const [before] = useState(product);
  const update = (values: FormData) => {
    const { title, handle, description, optionNames } = before;
    const input = changed(
      { title, handle, description, optionNames, status: before.status },
      {
        title: readText(values, "title"),
        handle: readText(values, "handle"),
        description: readText(values, "description") || null,
        optionNames: optionNames.map((_, index) => readText(values, `optionNames.${index}`)),
        status,
      },
    );
    return request(UpdateProduct, { shopId, ...asShown(product), input });
  };
  return (
    <ChangeDialog
      title={copy.editTitle(product.title)}
      label={copy.save}
      successMessage={copy.editDone}
      isDrawer
      onClose={onClose}
      change={update}
    >
      <TextField name="title" label={fields.title} defaultValue={before.title} required maxLength={255} autoFocus />
      <TextField
        name="handle"
        label={fields.handle}
        hint={fields.handleHint}
        defaultValue={before.handle}
        required
        maxLength={200}
      />
      <TextField
        name="description"
        label={fields.description}
        defaultValue={before.description ?? ""}
        render={<textarea rows={5} />}
      />
      {before.optionNames.map((name, index) => (
        <TextField
          key={name}
          name={`optionNames.${index}`}
          label={fields.optionName(index + 1)}
          defaultValue={name}
          required
          maxLength={50}
        />
      ))}
      <Choice name="status" label={copy.status} value={status} options={statuses} onChange={setStatus} />
    </ChangeDialog>
  );
}

function CodeFields() {
  return (
    <div className={layout.pair}>
      <TextField name="variants.0.sku" label={fields.sku} maxLength={64} />
      <TextField name="variants.0.barcode" label={fields.barcode} maxLength={64} />
    </div>
  );
}

function OptionFields() {
  return OPTIONS.map((index) => (
    <div key={index} className={layout.pair}>
      <TextField
        name={`optionNames.${index}`}
        label={index === 0 ? fields.firstOption : fields.option(index + 1)}
        placeholder={fields.optionExamples[index]}
        required={index === 0}
        maxLength={50}
      />
      <TextField
        name={`values.${index}`}
        label={index === 0 ? fields.firstValues : fields.values(index + 1)}
        placeholder={fields.valueExamples[index]}
        required={index === 0}
      />
    </div>
  ));
}

function readProduct(values: FormData, currencyDecimals: number, isStockTracked: boolean): NewProduct {
  const options = OPTIONS.map((index) => ({
    name: readText(values, `optionNames.${index}`),
    values: readText(values, `values.${index}`)
      .split(",")
      .map((value) => value.trim())
      .filter(Boolean),
  })).filter((option) => option.name || option.values.length > 0);
  const each = {
    price: readAmount(values, "variants.0.price", currencyDecimals)!,
    inventoryQuantity: Number(values.get("variants.0.inventoryQuantity")),
    isStockTracked,
    sku: readText(values, "variants.0.sku"),
    barcode: readText(values, "variants.0.barcode"),
  };
  return {
    title: readText(values, "title"),
    description: readText(values, "description") || null,
    optionNames: options.map(({ name }) => name),
    variants: combine(options.map((option) => option.values)).map((optionValues) => ({ ...each, optionValues })),
  };
}

/** All combinations of one value of each list. */
const combine = (lists: readonly (readonly string[])[]) =>
  lists.reduce<string[][]>(
    (combinations, list) => combinations.flatMap((chosen) => list.map((value) => [...chosen, value])),
    [[]],
  );
