package dev.rollcall.proto;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * One rule over one file.
 *
 * @param name as buf spells it
 * @param breaches what breaks the rule, each by its full name
 */
record Rule(String name, Function<FileDescriptorProto, Stream<String>> breaches) {
  /** The breaches in all files, each with its file and this rule's name. */
  Stream<String> check(FileDescriptorSet files) {
    return files.getFileList().stream()
        .flatMap(file ->
            breaches.apply(file).map(breach -> file.getName() + ": " + breach + ": " + name));
  }
}
