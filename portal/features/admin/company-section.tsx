import { LICENSES } from '@hatchway/domain/terms.ts';
import { isEmail, mayBeNumber } from '@hatchway/domain/receiver.ts';
import { NativeSelect, Select, TextInput } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { codeOf } from '../../app/problem.ts';
import { useCompanyName, useToken } from '../../app/who.ts';
import { Bones, Facts, Panel } from '../../ui/panel.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { Tags } from '../account/rights.tsx';
import styles from './admin.module.css';
import { type Company, useCompany, useCompanyDraft } from './api.ts';
import { codeOfNow, countries, timeZones } from './places.ts';
import { DraftForm } from './draft-form.tsx';
import { Colour } from './colour.tsx';
import { Logo } from './logo.tsx';

const CompanySection = () => {
  const { t } = useTranslation();
  const name = useCompanyName();
  const token = useToken();
  const company = useCompany();
  const one = company.data;
  const none = codeOf(company.error) === 'no-document';
  const licenses = LICENSES.filter((license) => (one?.licenses ?? token.licenses ?? []).includes(license));
  return (
    <>
      {company.isError && !none && <ProblemNote error={company.error} onRetry={() => void company.refetch()} />}
      <Panel title={t('admin.sections.company')}>
        {company.isPending && <Bones lines={5} height={32} />}
        {none && <p>{t('admin.noDocument', { name })}</p>}
        {one && <Details company={one} />}
      </Panel>
      {one && <Logo company={one} />}
      <Panel title={t('admin.licences')}>
        <p className={styles.intro}>{t('admin.licencesText')}</p>
        <Facts
          rows={[
            [t('account.profile.licenses'), <Tags key="licenses" words={licenses.map((license) => t(`terms.license.${license}`))} />],
            [t('admin.id'), <code key="id">{token.tenant?.tenant_id}</code>],
          ]}
        />
      </Panel>
    </>
  );
};
export default CompanySection;

const fieldsOf = (one: Company) => ({
  name: one.name,
  orgNumber: one.orgNumber ?? '',
  street: one.address.street,
  postalCode: one.address.postalCode,
  city: one.address.city,
  contactName: one.contact.name,
  contactEmail: one.contact.email,
  contactTlf: one.contact.tlf,
  country: codeOfNow(one.country),
  timeZone: one.timeZone,
  locale: one.locale,
  color: one.settings.color,
});
type Fields = ReturnType<typeof fieldsOf>;

const Details = ({ company }: { company: Company }) => {
  const { t, i18n } = useTranslation();
  const draft = useCompanyDraft(company, fieldsOf, (value) => ({
    name: value.name.trim(),
    orgNumber: value.orgNumber.trim() || null,
    address: { street: value.street.trim(), postalCode: value.postalCode.trim(), city: value.city.trim() },
    contact: { name: value.contactName.trim(), email: value.contactEmail.trim(), tlf: value.contactTlf.trim() },
    country: value.country,
    timeZone: value.timeZone,
    locale: value.locale === 'en' ? 'en' : 'nb',
    settings: { color: value.color },
  }));
  const { value, set } = draft;
  const [tried, setTried] = useState(false);
  const lands = useMemo(() => countries(i18n.language), [i18n.language]);
  const wrong = {
    name: value.name.trim() === '' ? t('admin.nameNeeded') : null,
    contactEmail: value.contactEmail.trim() !== '' && !isEmail(value.contactEmail.trim()) ? t('admin.emailWrong') : null,
    contactTlf: value.contactTlf.trim() !== '' && !mayBeNumber(value.contactTlf) ? t('admin.tlfWrong') : null,
  };
  const field = (name: Exclude<keyof Fields, 'locale' | 'color'>, label: string, maxLength: number) => ({
    label,
    value: value[name],
    maxLength,
    error: tried && name in wrong ? wrong[name as keyof typeof wrong] : null,
    errorProps: { role: 'alert' },
    onChange: (event: { currentTarget: { value: string } }) => set({ [name]: event.currentTarget.value }),
  });
  return (
    <DraftForm draft={draft} wrong={Object.values(wrong).some(Boolean)} onTry={() => setTried(true)}>
      <div className={styles.two}>
        <TextInput {...field('name', t('admin.name'), 200)} autoComplete="organization" />
        <TextInput {...field('orgNumber', t('admin.orgNumber'), 40)} autoComplete="off" />
      </div>
      <TextInput {...field('street', t('admin.street'), 200)} autoComplete="street-address" />
      <div className={styles.two}>
        <TextInput {...field('postalCode', t('admin.postalCode'), 20)} autoComplete="postal-code" />
        <TextInput {...field('city', t('admin.city'), 100)} autoComplete="address-level2" />
      </div>
      <div className={styles.two}>
        <NativeSelect
          label={t('admin.country')}
          description={t('admin.countryText')}
          value={value.country}
          onChange={(event) => set({ country: event.currentTarget.value })}
          data={lands}
        />
        <Select
          label={t('admin.timeZone')}
          description={t('admin.timeZoneText')}
          searchable
          allowDeselect={false}
          value={value.timeZone}
          onChange={(timeZone) => timeZone && set({ timeZone })}
          data={timeZones()}
          limit={60}
          nothingFoundMessage={t('table.noMatch')}
        />
      </div>
      <NativeSelect
        label={t('admin.locale')}
        description={t('admin.localeText')}
        value={value.locale}
        onChange={(event) => set({ locale: event.currentTarget.value })}
        data={[
          { value: 'nb', label: t('account.settings.nb') },
          { value: 'en', label: t('account.settings.en') },
        ]}
      />
      <Colour name={value.name} color={value.color} onChange={(color) => set({ color })} />
      <fieldset className={styles.fieldset}>
        <legend>{t('admin.contact')}</legend>
        <TextInput {...field('contactName', t('admin.contactName'), 100)} autoComplete="off" />
        <div className={styles.two}>
          <TextInput {...field('contactEmail', t('admin.contactEmail'), 254)} type="email" autoComplete="off" />
          <TextInput {...field('contactTlf', t('admin.contactTlf'), 20)} type="tel" autoComplete="off" />
        </div>
      </fieldset>
    </DraftForm>
  );
};
