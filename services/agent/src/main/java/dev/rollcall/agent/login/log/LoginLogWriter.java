package dev.rollcall.agent.login.log;

import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.agent.event.Adoption;
import dev.rollcall.agent.login.file.LoginDirectory;
import dev.rollcall.model.ProcessRef;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/**
 * Appends each login that the agent answers to the log of logins, so that the next agent has it
 * after any end of this one. A login does not wait for the log: what cannot be appended is a
 * warning. Not thread-safe.
 */
public final class LoginLogWriter {
  private static final System.Logger LOG = System.getLogger(LoginLogWriter.class.getName());

  /** The PAM module's bound, in bytes: a log that nobody reads does not grow further. */
  private static final long MOST = 4 << 20;

  private final LoginDirectory directory;
  private final String bootId;
  private String trouble = "";

  public LoginLogWriter(Path directory, String bootId) {
    this.directory = new LoginDirectory(directory);
    this.bootId = bootId;
  }

  public void append(Adoption adoption, ProcessRef process) {
    try {
      append(LoginRecords.framed(LoginRecord.answered(adoption, process, bootId)));
      trouble = "";
    } catch (IOException e) {
      if (!e.toString().equals(trouble)) {
        LOG.log(WARNING, "login {0} is not in the log of logins: {1}", adoption.id(), e.toString());
      }
      trouble = e.toString();
    }
  }

  private void append(byte[] record) throws IOException {
    try {
      appendOnce(record);
    } catch (NoSuchFileException e) {
      directory.makeLog();
      appendOnce(record);
    }
  }

  /** By one write(2), as the PAM module does, so that records do not mix. */
  private void appendOnce(byte[] record) throws IOException {
    Path log = directory.path(LoginDirectory.LOG);
    Set<OpenOption> options = Set.of(StandardOpenOption.APPEND, LinkOption.NOFOLLOW_LINKS);
    try (var file = FileChannel.open(log, options)) {
      if (file.size() > MOST) {
        throw new IOException(log + " is full: " + file.size() + " bytes that were not read");
      }
      int written = file.write(ByteBuffer.wrap(record));
      if (written < record.length) {
        throw new IOException(log + " took " + written + " of " + record.length + " bytes");
      }
    }
  }
}
