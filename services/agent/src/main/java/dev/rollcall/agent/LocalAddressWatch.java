package dev.rollcall.agent;

import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.linux.net.AddressChanges;
import dev.rollcall.linux.net.Netns;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;

/**
 * Has the addresses of this node read soon after they have changed. The thread sleeps meanwhile.
 */
final class LocalAddressWatch {
  private static final System.Logger LOG = System.getLogger(LocalAddressWatch.class.getName());

  /** An interface gets several addresses at once, and of IPv6 first tentative ones. */
  private static final Duration SETTLE = Duration.ofSeconds(1);

  private LocalAddressWatch() {}

  /**
   * @param read reads the addresses; is also called periodically, so what is missed is found
   */
  static void start(Runnable read) throws IOException {
    try (Netns own = Netns.own()) {
      AddressChanges changes = AddressChanges.open(own);
      Thread.ofPlatform().daemon().name("rollcall-addresses").start(() -> repeat(changes, read));
    }
  }

  private static void repeat(AddressChanges changes, Runnable read) {
    try (changes) {
      while (true) {
        changes.await();
        Thread.sleep(SETTLE);
        read(read);
      }
    } catch (IOException | InterruptedException e) {
      LOG.log(WARNING, "changes of this node's addresses are found within a minute only", e);
    }
  }

  /** What fails now is tried again after the next change, and periodically. */
  private static void read(Runnable read) {
    try {
      read.run();
    } catch (UncheckedIOException e) {
      LOG.log(WARNING, "this node's addresses could not be read after a change", e);
    }
  }
}
