// What the reason words of decisions mean: the table of docs/adoption.md in short.

const REASONS = {
  'other-service': 'The PAM service is not the one that the module is for.',
  root: 'Other PAM modules decide about root.',
  'job-starting': 'The user’s job here is still starting.',
  'no-jobs': 'The user has no job on this node.',
  'chosen-job': 'The user chose this job for their next sessions.',
  'only-job': 'It is the user’s only job here, so no node was asked.',
  'caller-job': 'The session’s caller is in this job.',
  'newest-job': 'The user has several jobs here and the caller is not known: the newest was selected.',
  'caller-elsewhere': 'The user has several jobs here, and the caller is in none of them.',
  'caller-unknown': 'The user has several jobs here and the caller is not known.',
  'job-suspended': 'The selected job is suspended.',
  'adopt-failure': 'The process could not be moved into the job.',
  'generic-failure': 'The agent could not decide, or not in time.',
};

export function explained(reason) {
  return REASONS[reason] ?? '';
}
