package dev.rollcall.agent.decide;

/** Whose sessions are decided on, logged and counted, and then left as they are. Thread-safe. */
public interface AuditOnly {
  /** Every decision is carried out. */
  AuditOnly NOBODY =
      new AuditOnly() {
        @Override
        public boolean isOn() {
          return false;
        }

        @Override
        public boolean mayBlock() {
          return false;
        }

        @Override
        public boolean holdsFor(int uid, String user) {
          return false;
        }

        @Override
        public void renew() {}
      };

  /** Whether it is for anybody. */
  boolean isOn();

  /** Whether to ask whom it is for may take its time. */
  boolean mayBlock();

  /**
   * @param user as PAM has it
   */
  boolean holdsFor(int uid, String user);

  /** Looks whether the site has changed its mind. Blocks. */
  void renew();
}
