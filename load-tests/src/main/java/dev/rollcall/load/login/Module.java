package dev.rollcall.load.login;

/** A PAM module that is alone in a stack, with the name of its service. */
enum Module {
  /** pam_permit: what PAM itself costs. */
  FLOOR("bench-permit", "pam_permit.so"),
  /** Slurm's own; it has to be told where Debian's build of it finds the node's cgroups. */
  PEER("bench-slurm", "pam_slurm_adopt.so service=* action_unknown=newest nodename=%s"),
  /** Ours. It waits long, so that what is slow is seen to be slow. */
  OURS("bench-rollcall", "%s/lib/security/pam_rollcall.so service=* port=%s timeout_ms=5000");

  private final String service;
  private final String line;

  Module(String service, String line) {
    this.service = service;
    this.line = line;
  }

  String service() {
    return service;
  }

  /** The stack's only line. */
  String account(Object... words) {
    return "account required " + line.formatted(words) + "\n";
  }

  static Module serving(String service) {
    for (Module module : values()) {
      if (module.service.equals(service)) {
        return module;
      }
    }
    throw new IllegalArgumentException("no module serves " + service);
  }
}
