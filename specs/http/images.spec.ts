import * as assert from 'uvu/assert';
import { settingsOf } from '../../http/program/settings.ts';
import { databaseImages } from '../../rules/database/images.ts';
import { suite } from '../support/suite.ts';

const spec = suite('image settings of Jobs');

const imagesOf = (env: Readonly<Record<string, string>>, args: readonly string[] = []) => {
  const { httpClientImage, uploadImage } = settingsOf(args, env).databaseImages;
  return [httpClientImage, uploadImage];
};

spec('CORE_CURL_IMAGE and CORE_RCLONE_IMAGE set the images of dumps', () => {
  assert.equal(imagesOf({}), [databaseImages.httpClientImage, databaseImages.uploadImage]);
  assert.equal(imagesOf({ CORE_CURL_IMAGE: 'own/curl:1', CORE_RCLONE_IMAGE: 'own/rclone:2' }), [
    'own/curl:1',
    'own/rclone:2',
  ]);
  assert.equal(imagesOf({ CORE_CURL_IMAGE: 'own/curl:1' }, ['--curl-image', 'own/curl:3'])[0], 'own/curl:3');
});

spec('the earlier image variables are accepted, with lower precedence than the new ones', () => {
  const earlier = { CORE_HTTP_CLIENT_IMAGE: 'old/curl:1', CORE_UPLOAD_IMAGE: 'old/rclone:1' };
  assert.equal(imagesOf(earlier), ['old/curl:1', 'old/rclone:1']);
  assert.equal(imagesOf({ ...earlier, CORE_CURL_IMAGE: 'own/curl:1', CORE_RCLONE_IMAGE: 'own/rclone:2' }), [
    'own/curl:1',
    'own/rclone:2',
  ]);
});

spec.run();
