const KEY = /^hw_([A-Za-z0-9_-]{22})[A-Za-z0-9_-]{32}$/;

/** The company of an API key, `hw_{tenant}{secret}`: the tenant's 16 bytes stand in front, base64url. Null for what is no key. */
export const tenantOfKey = (key: string): string | null => {
  const tenant = KEY.exec(key)?.[1];
  if (tenant === undefined) return null;
  const bytes = Uint8Array.from(atob(tenant.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
};
