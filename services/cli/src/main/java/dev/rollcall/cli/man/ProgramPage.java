package dev.rollcall.cli.man;

import java.util.SequencedMap;

/** A page of section 8 for a program that the launcher starts. */
public final class ProgramPage {
  private ProgramPage() {}

  /**
   * Makes a page.
   *
   * @param name {@code rollcall-agent}
   * @param files what each is for
   * @param unavailable the exit status when a resource is missing
   */
  public static String text(
      String name,
      String does,
      String says,
      SequencedMap<String, String> files,
      int unavailable,
      String also,
      String version) {
    var page = new Roff(name, 8, version).name(name, does);
    page.synopsis(name.replaceFirst("-", " ") + " [--config FILE]");
    page.section("DESCRIPTION").markdown(says).section("FILES");
    files.forEach(page::markdown);
    page.section("EXIT STATUS")
        .item("64", "An option is wrong.")
        .item("69", "A resource is missing or in use: a port, a socket, a directory, or systemd.")
        .item("70", "One of its threads has died.")
        .item("78", "The configuration is wrong; nothing was changed.");
    return page.section("SEE ALSO").paragraph(also).toString();
  }
}
