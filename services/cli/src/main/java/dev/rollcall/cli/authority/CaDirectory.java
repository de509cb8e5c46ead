package dev.rollcall.cli.authority;

import dev.rollcall.authority.Authority;
import dev.rollcall.authority.AuthorityException;
import dev.rollcall.cli.exit.CommandFailure;
import dev.rollcall.cli.exit.ExitCode;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import picocli.CommandLine.Option;

/** The option that says where the authority is, and work in it whose failures have their names. */
final class CaDirectory {
  private static final int LONGEST_DAYS = 36_500;

  /** What may fail in the ways of files and authorities. */
  interface Work<T> {
    T run() throws IOException, AuthorityException;
  }

  /** Likewise, in an open authority. */
  interface InAuthority<T> {
    T run(Authority authority) throws IOException, AuthorityException;
  }

  @Option(
      names = "--directory",
      paramLabel = "DIR",
      defaultValue = "/etc/rollcall/ca",
      description = "Directory of the authority (default: ${DEFAULT-VALUE}).")
  private Path directory = Path.of("/etc/rollcall/ca");

  Path path() {
    return directory;
  }

  boolean isAuthority() {
    return Authority.isIn(directory);
  }

  <T> T open(InAuthority<T> work) {
    return named(() -> {
      try (var authority = Authority.open(directory, InstantSource.system())) {
        return work.run(authority);
      }
    });
  }

  /** A certificate is called by its file, or by its serial number. */
  static Path file(Authority authority, String called) throws AuthorityException {
    Path file = Path.of(called);
    return Files.exists(file) ? file : authority.numbered(called);
  }

  static Duration days(int days) {
    return days("--days", days);
  }

  static Duration days(String option, int days) {
    if (days < 1 || days > LONGEST_DAYS) {
      throw CommandFailure.usage(option + " " + days + " is not within 1 to " + LONGEST_DAYS);
    }
    return Duration.ofDays(days);
  }

  static <T> T named(Work<T> work) {
    try {
      return work.run();
    } catch (AuthorityException e) {
      throw new CommandFailure(ExitCode.FAILED, String.valueOf(e.getMessage()), e);
    } catch (NoSuchFileException e) {
      throw new CommandFailure(ExitCode.NOT_FOUND, "there is no file " + e.getMessage(), e);
    } catch (FileAlreadyExistsException e) {
      throw new CommandFailure(
          ExitCode.FAILED, "there is a " + e.getMessage() + " already; it is left as it is", e);
    } catch (AccessDeniedException e) {
      throw new CommandFailure(ExitCode.DENIED, "no permission for " + e.getMessage(), e);
    } catch (IOException e) {
      throw new CommandFailure(ExitCode.FAILED, "files cannot be read or written: " + e, e);
    } catch (IllegalArgumentException e) {
      throw CommandFailure.usage(e);
    }
  }
}
