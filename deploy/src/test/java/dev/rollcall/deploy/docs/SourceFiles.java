package dev.rollcall.deploy.docs;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The files below a folder of the source tree, without what builds make. Other tests make and
 * remove files there meanwhile: what is gone is left out.
 */
final class SourceFiles extends SimpleFileVisitor<Path> {
  private static final Set<String> MADE = Set.of("target", ".git", "node_modules");

  private final List<Path> files = new ArrayList<>();

  static List<Path> below(Path folder) throws IOException {
    var all = new SourceFiles();
    Files.walkFileTree(folder, all);
    return all.files;
  }

  @Override
  public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
    return MADE.contains(folder.getFileName().toString())
        ? FileVisitResult.SKIP_SUBTREE
        : FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
    files.add(file);
    return FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult visitFileFailed(Path file, IOException gone) {
    return FileVisitResult.CONTINUE;
  }
}
