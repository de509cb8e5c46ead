package dev.rollcall.deploy.share;

import static java.util.Objects.requireNonNull;

import dev.rollcall.cli.CommandTree;
import dev.rollcall.cli.ask.CliContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine;

/**
 * Writes manual pages and completions into the distribution, from its command and the documents.
 * The completions are in {@code share} for packages, and in {@code lib/cli} for the command itself.
 */
public final class Shipped {
  private Shipped() {}

  /** Takes the folder of the documents, and that of the distribution. */
  public static void main(String[] args) throws IOException {
    if (args.length != 2) {
      throw new IllegalArgumentException("Shipped DOCUMENTS DISTRIBUTION");
    }
    write(Path.of(args[0]), Path.of(args[1]));
  }

  static void write(Path documents, Path distribution) throws IOException {
    Path share = distribution.resolve("share");
    CommandLine tree = CommandTree.of(CliContext.NONE);
    String version = tree.getCommandSpec().version()[0].replaceFirst("^rollcall ", "");
    var completion = new ShellCompletion(tree);
    put(share.resolve("bash-completion/completions/rollcall"), completion.bash());
    put(share.resolve("zsh/vendor-completions/_rollcall"), completion.zsh());
    put(share.resolve("fish/vendor_completions.d/rollcall.fish"), completion.fish());
    Path own = distribution.resolve("lib/cli");
    put(own.resolve("completion.bash"), completion.bash());
    put(own.resolve("completion.zsh"), completion.zsh());
    put(own.resolve("completion.fish"), completion.fish());
    commands(tree, version, Examples.shipped(), Files.createDirectories(share.resolve("man/man1")));
    for (String page : MarkdownPage.ALL) {
      Path folder = share.resolve("man/man" + page.substring(page.length() - 1));
      put(folder.resolve(page), MarkdownPage.text(page, documents, version));
    }
  }

  private static void put(Path file, String text) throws IOException {
    Files.createDirectories(requireNonNull(file.getParent()));
    Files.writeString(file, text);
  }

  private static void commands(CommandLine command, String version, Examples examples, Path folder)
      throws IOException {
    var page = new CommandPage(command, version, examples);
    Files.writeString(folder.resolve(page.name() + ".1"), page.text());
    for (CommandLine each : command.getSubcommands().values()) {
      commands(each, version, examples, folder);
    }
  }
}
