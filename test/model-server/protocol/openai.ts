/** The error body that all of OpenAI's APIs share. */
export const openaiError = (status: number, message: string): unknown => ({
  error: {
    message,
    type: ERROR_TYPES[status] ?? typeFor(status),
    param: null,
    code: ERROR_CODES[status] ?? null,
  },
});

const typeFor = (status: number): string => (status >= 500 ? 'server_error' : 'invalid_request_error');

const ERROR_TYPES: Readonly<Record<number, string>> = { 429: 'requests' };
const ERROR_CODES: Readonly<Record<number, string>> = {
  401: 'invalid_api_key',
  404: 'model_not_found',
  429: 'rate_limit_exceeded',
};
