import { enumType } from "../enum-type.ts";

export const ImportKind = enumType("ImportKind", "The records of an import.", {
  PRODUCTS: "Products with variants and stock.",
  CUSTOMERS: "Customers.",
});
export type ImportKind = keyof typeof ImportKind;

export const ImportState = enumType("ImportState", "The state of an import.", {
  UPLOADING: "The file is being uploaded.",
  CHECKING: "The file is being read and checked.",
  CHECKED: "The file is checked. Nothing has been imported yet.",
  RUNNING: "Records are being imported.",
  FINISHED: "Every record was imported or refused.",
  CANCELLED: "Cancelled. Records imported before stay.",
  FAILED: "The file cannot be imported, or the import stopped. See `failure`.",
});
export type ImportState = keyof typeof ImportState;

export const ImportSource = enumType("ImportSource", "The system that wrote a file, recognized by its columns.", {
  SHOPIFY: "Shopify.",
  SQUARE: "Square.",
  WOOCOMMERCE: "WooCommerce.",
  MERCHANT_API: "An export of this service.",
  OTHER: "Another system, or a spreadsheet.",
});
export type ImportSource = keyof typeof ImportSource;

export const ImportField = enumType("ImportField", "A field of a record that a column can hold.", {
  HANDLE: "The product's name in URLs.",
  TITLE: "The title of the product.",
  DESCRIPTION: "The description of the product.",
  STATUS: "The status of the product.",
  OPTION1_NAME: "The name of the first option.",
  OPTION1_VALUE: "The variant's value of the first option.",
  OPTION2_NAME: "The name of the second option.",
  OPTION2_VALUE: "The variant's value of the second option.",
  OPTION3_NAME: "The name of the third option.",
  OPTION3_VALUE: "The variant's value of the third option.",
  SKU: "The SKU of the variant.",
  BARCODE: "The barcode of the variant.",
  PRICE: "The price of the variant.",
  INVENTORY_QUANTITY: "The number of units in stock.",
  IS_STOCK_TRACKED: "Whether the stock of the variant is tracked: yes or no.",
  EMAIL: "The email address of the customer.",
  FIRST_NAME: "The first name of the customer.",
  LAST_NAME: "The last name of the customer.",
  PHONE: "The phone number of the customer.",
  NOTE: "The note about the customer.",
});
export type ImportField = keyof typeof ImportField;

export const DecimalMark = enumType("DecimalMark", "The decimal mark of the amounts in a file.", {
  POINT: "A point, as in 1,234.56.",
  COMMA: "A comma, as in 1.234,56.",
});
export type DecimalMark = keyof typeof DecimalMark;

export const EmptyCells = enumType("EmptyCells", "What an empty cell does to an existing record.", {
  LEAVE: "It leaves what is there.",
  CLEAR: "It clears what is there.",
});
export type EmptyCells = keyof typeof EmptyCells;

export const ImportQuestion = enumType("ImportQuestion", "A question to answer before an import can start.", {
  ENCODING: "In which of `encodings` is the text? Compare the samples.",
  MAPPING: "Which columns hold the required fields?",
  DECIMAL_MARK: "Is the decimal mark a point or a comma? Amounts such as 1,234 can be read both ways.",
});
export type ImportQuestion = keyof typeof ImportQuestion;

export const ExistingRecords = enumType("ExistingRecords", "How an import treats records that exist already.", {
  LEAVE: "Existing records stay as they are.",
  UPDATE: "The fields that the file has are updated. Variants that the file lacks stay.",
  STOP: "The import stops at the first existing record.",
});
export type ExistingRecords = keyof typeof ExistingRecords;

export const ImportedStock = enumType("ImportedStock", "How an import treats the stock of existing variants.", {
  SET: "The stock is set to the file's quantities.",
  LEAVE: "The stock stays. Only new variants get the file's quantities.",
});
export type ImportedStock = keyof typeof ImportedStock;
