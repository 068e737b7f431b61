import type { FastifyReply, FastifyRequest } from 'fastify';
import type Provider from 'oidc-provider';

export type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;

/** How far somebody has come on the way in; kept with the interaction until it is finished. */
export type Progress = {
  accountId?: string;
  secondFactor?: boolean;
  /** They came by this company's directory, and belong to no other one by that. */
  only?: string;
  /** They were sent to a directory, and what comes back is held against this. */
  directory?: { tid: string; state: string; nonce: string; verifier: string };
};

export const progressOf = (interaction: Interaction): Progress => {
  // Somebody who is signed in and only has to name a company is not asked for a password again.
  const signedIn = interaction.session?.accountId;
  if (signedIn && interaction.prompt.reasons.every((reason) => reason === 'company_needed'))
    return { accountId: signedIn, secondFactor: true };
  return (interaction.result?.['progress'] as Progress | undefined) ?? {};
};

export const remember = async (interaction: Interaction, progress: Progress): Promise<void> => {
  interaction.result = { progress };
  await interaction.save(interaction.exp - Math.floor(Date.now() / 1000));
};

/** The interaction that the browser's cookie belongs to. */
export const interactionOf = async (
  provider: Provider,
  request: FastifyRequest<{ Params: { uid: string } }>,
  reply: FastifyReply,
): Promise<Interaction | null> => {
  const interaction = await provider.interactionDetails(request.raw, reply.raw).catch(() => null);
  return interaction?.uid === request.params.uid ? interaction : null;
};
