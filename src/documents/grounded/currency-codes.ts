/** As a regular expression alternative. */
export const CURRENCY_CODES = 'EUR|USD|GBP|CHF|JPY|CAD|AUD|SEK|NOK|DKK|PLN|CZK|BRL|MXN|CNY|INR';
