// The version of heed. package.json says the same, which a test checks: a page cannot read that file.

export const version = '0.2.0';
