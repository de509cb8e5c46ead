// What the reason words of decisions mean: the table of docs/adoption.md in short.

const REASONS = {
  'other-service': 'The PAM service is not the module’s.',
  root: 'Root is left to the other modules.',
  'job-starting': 'The user’s job here is only beginning.',
  'no-jobs': 'The user has no job on this node.',
  'chosen-job': 'The user chose this job for their next sessions.',
  'only-job': 'It is the user’s only job here; nobody had to be asked.',
  'caller-job': 'The session was called from this job.',
  'newest-job': 'The user has several jobs here and the caller could not decide: the newest was taken.',
  'caller-unknown': 'The user has several jobs here and the caller could not decide.',
  'job-suspended': 'The job decided on is suspended.',
  'adopt-failure': 'The process could not be moved into the job.',
  'generic-failure': 'The agent did not answer in time, or its reply made no sense.',
};

export function explained(reason) {
  return REASONS[reason] ?? '';
}
