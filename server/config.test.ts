import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';

const NEEDED = { PUBLIC_URL: 'https://lockers.example.com', SECRET_KEY: 'x'.repeat(32) };
const faults = (env: Record<string, string>): string => {
  try {
    readConfig(env);
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

describe('the environment', () => {
  it('has a default for every key but the two that production must be given', () => {
    expect(readConfig(NEEDED)).toMatchObject({ port: 8080, sandbox: false, mqttListen: null, trustProxy: false });
    expect(faults({})).toMatch(/PUBLIC_URL[\s\S]*SECRET_KEY/);
    expect(faults({ ...NEEDED, PUBLIC_URL: 'http://lockers.example.com' })).toContain('PUBLIC_URL');
    expect(faults({ ...NEEDED, SECRET_KEY: 'short' })).toContain('SECRET_KEY');
  });

  it('never leaves aside what somebody relies on: no listening without TLS, no second process with a broker of its own, no Keycloak in name alone', () => {
    expect(faults({ ...NEEDED, MQTT_LISTEN: '0.0.0.0:8883' })).toContain('MQTT_CERT');
    expect(faults({ ...NEEDED, NATS_URL: 'nats://bus', DATABASE_URL: 'postgres://db/x' })).toContain('MQTT_URL');
    expect(faults({ ...NEEDED, NATS_URL: 'nats://bus', DATABASE_URL: 'postgres://db/x', MQTT_URL: 'mqtts://broker' })).toBe('');
    expect(faults({ ...NEEDED, MQTT_PUBLIC_URL: 'mqtts://hatchway:pw@broker' })).toContain('MQTT_PUBLIC_URL');
    expect(faults({ ...NEEDED, IDENTITY_URL: 'https://keycloak.example.com' })).toContain('IDENTITY_URL');
  });

  it('names an address that cannot be read by its key alone, since it may hold a login', () => {
    for (const key of ['DATABASE_URL', 'DATABASE_OWNER_URL', 'NATS_URL', 'MQTT_URL', 'SMTP_URL', 'SMS_URL', 'SMS_FALLBACK_URL']) {
      const said = faults({ ...NEEDED, [key]: '//hatchway:the-operators-own@host' });
      expect(said).toContain(`${key}: `);
      expect(said).not.toContain('the-operators-own');
    }
  });

  it('takes both keys of the application at Microsoft or none, and its hosts by https alone', () => {
    expect(readConfig(NEEDED).entra).toBeNull();
    const keys = { ENTRA_CLIENT_ID: 'an-id', ENTRA_CLIENT_SECRET: 'a-secret' };
    expect(readConfig({ ...NEEDED, ...keys }).entra).toEqual({
      clientId: 'an-id',
      clientSecret: 'a-secret',
      loginUrl: 'https://login.microsoftonline.com',
      graphUrl: 'https://graph.microsoft.com',
    });
    expect(faults({ ...NEEDED, ENTRA_CLIENT_ID: 'an-id' })).toContain('ENTRA_CLIENT_SECRET');
    expect(faults({ ...NEEDED, ENTRA_GRAPH_URL: 'http://127.0.0.1:8090' })).toContain('ENTRA_GRAPH_URL');
  });

  it('says what is wrong with a gateway for SMS as it starts, and leads none that its maker runs to this machine', () => {
    const said = (SMS_URL: string, more = {}) => faults({ ...NEEDED, SMS_URL, ...more });
    expect(said('sveve://me:pw@sveve.no')).toBe('');
    expect(said('https://me:pw@gateway.example.com/sms', { SMS_FALLBACK_URL: 'http://127.0.0.1:9000/sms' })).toBe('');
    expect(said('sveve://me:pw@localhost')).toContain('not to this machine');
    expect(said('link://me:pw@n-eu.linkmobility.io')).toContain('platform');
    expect(said('smtp://me:pw@host')).toContain('must begin');
    expect(faults({ ...NEEDED, SMS_FALLBACK_URL: 'sveve://me:pw@sveve.no' })).toContain('SMS_URL must name the first');
  });

  it('is explained, key by key', () => {
    const here = import.meta.dirname;
    const keys = [...readFileSync(path.join(here, 'config.ts'), 'utf8').matchAll(/^ {2}([A-Z][A-Z_]+): /gm)].map((match) => match[1]);
    const told = readFileSync(path.join(here, '../docs/operations.md'), 'utf8');
    expect(keys.length).toBeGreaterThan(15);
    expect(keys.filter((key) => !told.includes(`\`${key}\``))).toEqual([]);
  });
});
