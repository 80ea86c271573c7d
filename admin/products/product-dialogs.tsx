import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useShop } from "../queries.ts";
import { request } from "../request.ts";
import { changed, ChangeDialog } from "../records/change-dialog.tsx";
import { labelVariant } from "../records/labels.tsx";
import layout from "../ui/layout.module.css";
import { AmountField, readAmount } from "../ui/forms/amount-field.tsx";
import { readText, TextField } from "../ui/forms/form.tsx";
import {
  CreateVariant,
  DeleteProduct,
  DeleteVariant,
  UpdateVariant,
  type Product,
  type Variant,
} from "./product-queries.ts";
import { copy } from "./copy.ts";

const { fields } = copy;

interface ProductDialogProps {
  product: Product;
  onClose: () => void;
}

export function DeleteProductDialog({ product, onClose }: ProductDialogProps) {
  const { id: shopId } = useShop();
  const navigate = useNavigate();
  return (
    <ChangeDialog
      title={copy.deleteTitle(product.title)}
      description={copy.deleteText}
      label={copy.deleteSubmit}
      isDanger
      successMessage={copy.deleteDone}
      onClose={onClose}
      change={() => request(DeleteProduct, { shopId, id: product.id, expectedVersion: product.version })}
      onDone={() => void navigate({ to: "/$shopId/products", params: { shopId } })}
    />
  );
}

/** Edits a variant, or adds one if none is given. */
export function VariantDialog({ product, variant, onClose }: ProductDialogProps & { variant?: Variant | undefined }) {
  const { id: shopId, currency, currencyDecimals } = useShop();
  const [before] = useState(variant);
  const read = (values: FormData) => ({
    optionValues: product.optionNames.map((_, index) => readText(values, `optionValues.${index}`)),
    price: readAmount(values, "price", currencyDecimals)!,
    sku: readText(values, "sku"),
    barcode: readText(values, "barcode"),
  });
  const save = async (values: FormData): Promise<unknown> => {
    const input = read(values);
    const expected = { shopId, expectedVersion: product.version };
    if (before) {
      const { id, optionValues, price, sku, barcode } = before;
      return request(UpdateVariant, {
        ...expected,
        id,
        input: changed({ optionValues, price, sku, barcode }, input),
      });
    }
    const inventoryQuantity = Number(values.get("inventoryQuantity"));
    return request(CreateVariant, { ...expected, productId: product.id, input: { ...input, inventoryQuantity } });
  };
  return (
    <ChangeDialog
      title={before ? copy.editTitle(labelVariant(before.title)) : copy.addVariant}
      label={before ? copy.save : copy.addVariant}
      successMessage={before ? copy.editVariantDone : copy.addVariantDone}
      onClose={onClose}
      change={save}
    >
      {product.optionNames.map((name, index) => (
        <TextField
          key={name}
          name={`optionValues.${index}`}
          label={name}
          defaultValue={before?.optionValues[index]}
          required
          maxLength={100}
        />
      ))}
      <div className={layout.pair}>
        <AmountField
          name="price"
          label={fields.price(currency)}
          currencyDecimals={currencyDecimals}
          defaultValue={before?.price}
        />
        {!before && (
          <TextField name="inventoryQuantity" label={fields.stock} type="number" min={0} step={1} defaultValue={0} />
        )}
        <TextField name="sku" label={fields.sku} defaultValue={before?.sku} maxLength={64} />
        <TextField name="barcode" label={fields.barcode} defaultValue={before?.barcode} maxLength={64} />
      </div>
    </ChangeDialog>
  );
}

export function DeleteVariantDialog({ product, variant, onClose }: ProductDialogProps & { variant: Variant }) {
  const { id: shopId } = useShop();
  return (
    <ChangeDialog
      title={copy.deleteTitle(labelVariant(variant.title))}
      description={copy.deleteVariantText}
      label={copy.deleteVariant}
      isDanger
      successMessage={copy.deleteVariantDone}
      onClose={onClose}
      change={() => request(DeleteVariant, { shopId, id: variant.id, expectedVersion: product.version })}
    />
  );
}
