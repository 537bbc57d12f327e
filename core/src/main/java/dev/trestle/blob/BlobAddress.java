package dev.trestle.blob;

import dev.trestle.model.BlobName;
import dev.trestle.model.ContainerName;

/** The address of a blob, whether it exists or not. */
public record BlobAddress(String account, ContainerName container, BlobName name) {}
