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

  it.each([
    'https://LOCKERS.example.com',
    'HTTPS://LOCKERS.EXAMPLE.COM',
    'https://lockers.example.com:443',
    'https://Lockers.Example.com:443',
  ])('is known by the origin that a browser makes of %s', (PUBLIC_URL) =>
    expect(readConfig({ ...NEEDED, PUBLIC_URL }).publicUrl).toBe(NEEDED.PUBLIC_URL),
  );

  it('never leaves aside what somebody relies on: no listening without TLS, no second process with a broker of its own', () => {
    expect(faults({ ...NEEDED, MQTT_LISTEN: '0.0.0.0:8883' })).toContain('MQTT_CERT');
    expect(faults({ ...NEEDED, NATS_URL: 'nats://bus', DATABASE_URL: 'postgres://db/x' })).toContain('MQTT_URL');
    expect(faults({ ...NEEDED, NATS_URL: 'nats://bus', DATABASE_URL: 'postgres://db/x', MQTT_URL: 'mqtts://broker' })).toBe('');
    expect(faults({ ...NEEDED, MQTT_PUBLIC_URL: 'mqtts://hatchway:pw@broker' })).toContain('MQTT_PUBLIC_URL');
  });

  it('takes Keycloak whole, over TLS, and apart from its own addresses', () => {
    const keycloak = { IDENTITY_URL: 'https://login.example.com/', IDENTITY_SECRET: 's'.repeat(24) };
    expect(readConfig({ ...NEEDED, ...keycloak }).keycloak).toEqual({ url: 'https://login.example.com', secret: 's'.repeat(24) });
    expect(readConfig(NEEDED).keycloak).toBeNull();
    expect(readConfig({ ...NEEDED, ...keycloak, IDENTITY_URL: `${NEEDED.PUBLIC_URL}/auth` }).keycloak?.url).toBe(
      `${NEEDED.PUBLIC_URL}/auth`,
    );
    for (const wrong of [
      'http://login.example.com',
      'login.example.com',
      'https://admin:the-operators-own@login.example.com',
      'https://login.example.com/?a=b',
      'https://login.example.com/realms/pml',
      NEEDED.PUBLIC_URL,
    ]) {
      const said = faults({ ...NEEDED, ...keycloak, IDENTITY_URL: wrong });
      expect([wrong, said]).toEqual([wrong, expect.stringContaining('IDENTITY_URL: ')]);
      expect(said).not.toContain('the-operators-own');
    }
    for (const secret of ['', 'short']) expect(faults({ ...NEEDED, ...keycloak, IDENTITY_SECRET: secret })).toContain('IDENTITY_SECRET: ');
    expect(faults({ ...NEEDED, IDENTITY_SECRET: keycloak.IDENTITY_SECRET })).toContain('IDENTITY_URL');
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

  it.each([
    ['MQTT_URL', 'hatchway:the-operators-own@broker'],
    ['MQTT_URL', 'mqtt:hatchway:the-operators-own@broker'],
    ['MQTT_URL', 'tcp://hatchway:the-operators-own@broker:1883'],
    ['MQTT_URL', 'localhost:1883'],
    ['MQTT_PUBLIC_URL', 'wss://broker/mqtt?token=the-operators-own'],
    ['MQTT_PUBLIC_URL', 'mqtts://broker#the-operators-own'],
    ['MQTT_PUBLIC_URL', 'mqtts:the-operators-own@broker'],
    ['PUBLIC_URL', 'https://hatchway:the-operators-own@lockers.example.com'],
    ['PUBLIC_URL', 'https://lockers.example.com?key=the-operators-own'],
    ['PUBLIC_URL', 'https://lockers.example.com#the-operators-own'],
    ['SMTP_URL', 'hatchway:the-operators-own@mail'],
    ['SMS_URL', 'ftp://hatchway:the-operators-own@sms'],
    ['DATABASE_URL', 'host=db password=the-operators-own'],
    ['NATS_URL', 'nats://a:4222,hatchway:the-operators-own@b'],
    ['VIPPS_URL', 'http://hatchway:the-operators-own@vipps'],
    ['ENTRA_LOGIN_URL', 'https://hatchway:the-operators-own@login.example.com'],
    ['ENTRA_LOGIN_URL', 'https://login.example.com?key=the-operators-own'],
    ['ENTRA_GRAPH_URL', 'https://hatchway:the-operators-own@graph.example.com'],
    ['ENTRA_GRAPH_URL', 'https://graph.example.com#the-operators-own'],
  ])('refuses in %s what would be told, or read as another address, and does not repeat it: %#', (key, address) => {
    const said = faults({ ...NEEDED, DATABASE_URL: 'postgres://db/x', MQTT_URL: 'mqtts://broker', [key]: address });
    expect(said).toContain(`${key}: `);
    expect(said).not.toContain('the-operators-own');
  });

  it.each([
    ['DATABASE_URL', 'postgresql://u:p@db:5432/x?sslmode=require'],
    ['DATABASE_URL', 'postgres:///x?host=/run/postgresql'],
    ['NATS_URL', 'nats://a:4222,tls://b:4222'],
    ['MQTT_URL', 'wss://u:p@broker/mqtt'],
    ['SMTP_URL', 'smtps://u:p%40@mail:465'],
    ['SMS_URL', 'http://u:p@127.0.0.1:9000/send?from=x'],
    ['MQTT_PUBLIC_URL', 'wss://broker:443/mqtt'],
    ['PUBLIC_URL', 'https://Lockers.example.com:8443'],
  ])('takes in %s what operators write: %s', (key, address) =>
    expect(faults({ ...NEEDED, DATABASE_URL: 'postgres://db/x', MQTT_URL: 'mqtts://broker', [key]: address })).toBe(''),
  );

  it('is explained, key by key', () => {
    const here = import.meta.dirname;
    const keys = [...readFileSync(path.join(here, 'config.ts'), 'utf8').matchAll(/^ {2}([A-Z][A-Z_]+): /gm)].map((match) => match[1]);
    const told = readFileSync(path.join(here, '../docs/operations.md'), 'utf8');
    expect(keys.length).toBeGreaterThan(15);
    expect(keys.filter((key) => !told.includes(`\`${key}\``))).toEqual([]);
  });
});
