import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useShop } from "../queries.ts";
import { request } from "../request.ts";
import { asShown, changed, ChangeDialog } from "../records/change-dialog.tsx";
import { labelVariant } from "../records/labels.tsx";
import layout from "../ui/layout.module.css";
import { AmountField, readAmount } from "../ui/forms/amount-field.tsx";
import { Checkbox, readText, TextField } from "../ui/forms/form.tsx";
import { Notice } from "../ui/states.tsx";
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
      change={() => request(DeleteProduct, { shopId, ...asShown(product) })}
      onDone={() => void navigate({ to: "/$shopId/products", params: { shopId } })}
    />
  );
}

/** Edits a variant, or adds one if none is given. */
export function VariantDialog({ product, variant, onClose }: ProductDialogProps & { variant?: Variant | undefined }) {
  const { id: shopId, currency, currencyDecimals } = useShop();
  const [before] = useState(variant);
  const [isStockTracked, trackStock] = useState(before?.isStockTracked ?? true);
  const read = (values: FormData) => ({
    isStockTracked,
    optionValues: product.optionNames.map((_, index) => readText(values, `optionValues.${index}`)),
    price: readAmount(values, "price", currencyDecimals)!,
    sku: readText(values, "sku"),
    barcode: readText(values, "barcode"),
  });
  const save = async (values: FormData): Promise<unknown> => {
    const input = read(values);
    const expected = { shopId, expectedVersion: product.version };
    if (before) {
      const { id, optionValues, price, sku, barcode, isStockTracked: wasTracked } = before;
      return request(UpdateVariant, {
        ...expected,
        id,
        input: changed({ optionValues, price, sku, barcode, isStockTracked: wasTracked }, input),
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
      <OptionValues product={product} variant={before} />
      <div className={layout.pair}>
        <AmountField
          name="price"
          label={fields.price(currency)}
          currencyDecimals={currencyDecimals}
          defaultValue={before?.price}
        />
        {!before && isStockTracked && (
          <TextField name="inventoryQuantity" label={fields.stock} type="number" min={0} step={1} defaultValue={0} />
        )}
        <TextField name="sku" label={fields.sku} defaultValue={before?.sku} maxLength={64} />
        <TextField name="barcode" label={fields.barcode} defaultValue={before?.barcode} maxLength={64} />
      </div>
      <Checkbox label={fields.trackStock} checked={isStockTracked} onChange={trackStock} />
      {before && before.inventoryQuantity !== 0 && !isStockTracked && (
        <Notice tone="warning">{copy.stockCleared}</Notice>
      )}
    </ChangeDialog>
  );
}

function OptionValues({ product, variant }: { product: Product; variant: Variant | undefined }) {
  return product.optionNames.map((name, index) => (
    <TextField
      key={name}
      name={`optionValues.${index}`}
      label={name}
      defaultValue={variant?.optionValues[index]}
      required
      maxLength={100}
    />
  ));
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
