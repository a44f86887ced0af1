/** The version in package.json; a test pins that they agree. */
export const VERSION = '0.1.0';
